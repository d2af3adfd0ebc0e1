// SPDX-License-Identifier: GPL-3.0-or-later
// Right set-ups at random give no finding, and each with one thing broken gives one.
#include "core/lint/lint_regions.h"
#include "tests/core/lint/lint_cases.h"
#include "tests/core/mask/mask_cases.h"
#include "tests/support/compare.h"
#include "tests/support/environment.h"
#include "tests/support/test_main.h"

#include <array>

using namespace vqscope;
using namespace vqscope::test;

namespace {

Index at(const std::vector<Index>& values, Index i) { return values[static_cast<std::size_t>(i)]; }

bool in_chunks_of(const LintCase& given, Index q_pos, Index kv_pos) {
  const Index first = q_pos / *given.chunk * *given.chunk;
  const Index begin = given.left_frames ? first - *given.left_frames : 0;
  return begin <= kv_pos && kv_pos < first + *given.chunk + given.right_frames;
}

bool in_one_span(const LintCase& given, Index q, Index kv) {
  if (given.objective != Objective::causal_spans) return false;
  const Index span = at(given.spans, *given.layout.key_of(q));
  return span >= 0 && span == at(given.spans, kv);
}

/// Expected cells of a case.
bool wanted(const LintCase& given, Index q, Index kv) {
  const SequenceLayout& layout = given.layout;
  if (!layout.key_valid(kv)) return false;
  if (!layout.q_valid(q)) return true;
  if (layout.q_document(q) != layout.kv_document(kv)) return false;
  const Index behind = layout.q_pos(q) - layout.kv_pos(kv);
  if (given.objective == Objective::cross) return true;
  if (looks_by_chunks(given.objective)) return in_chunks_of(given, layout.q_pos(q), layout.kv_pos(kv));
  if (given.chunk && layout.q_pos(q) / *given.chunk != layout.kv_pos(kv) / *given.chunk) return false;
  const bool back = looks_back(given.objective);
  const Index left = back && given.window ? *given.window - 1 : given.window_left.value_or(any_distance);
  if (behind > left && layout.kv_pos(kv) >= given.sinks) return false;
  if (behind >= 0) return true;
  if (!back) return -behind <= given.window_right.value_or(any_distance);
  if (given.objective == Objective::prefix && layout.kv_pos(kv) < *given.prefix_length) return true;
  if (in_one_span(given, q, kv)) return !given.window || -behind < *given.window;
  return -behind <= given.window_right.value_or(0);
}

/// Whether libraries differ: how far ahead a span reaches beyond a window.
bool undecided(const LintCase& given, Index q, Index kv) {
  if (!given.layout.q_valid(q) || !given.layout.key_valid(kv)) return false;
  if (given.layout.q_document(q) != given.layout.kv_document(kv) || !in_one_span(given, q, kv)) return false;
  return given.window && given.layout.kv_pos(kv) - given.layout.q_pos(q) >= *given.window;
}

class SetUps {
 public:
  explicit SetUps(std::uint64_t seed) : m_random(seed) {}

  Index number(Index low, Index high) { return pick(m_random, low, high); }
  bool coin() { return number(0, 1) == 1; }

  LintCase right() {
    LintCase given{.layout = layout()};
    given.objective = given.layout.query_source() == QuerySource::own ? Objective::cross : objective(given.layout);
    given.no_window = true;
    state_limits(given);
    state_mask(given, [copy = given](Index q, Index kv) { return wanted(copy, q, kv); });
    if (coin()) state_positions(given);
    if (coin()) state_labels(given);
    return given;
  }

  static void state_mask(LintCase& given, std::function<bool(Index, Index)> visible) {
    given.mask =
        std::make_shared<DrawnMask>(Extent{given.layout.q_length(), given.layout.kv_length()}, std::move(visible));
  }

 private:
  SequenceLayout layout() {
    SequenceInput input;
    input.q_length = number(6, 28);
    if (number(0, 4) == 0) {
      input.query_source = QuerySource::own;
      input.kv_length = number(6, 28);
      input.padding = number(0, 3);
      return *SequenceLayout::make(input);
    }
    input.past_len = number(0, 2) == 0 ? number(1, 16) : 0;
    input.kv_length = input.q_length + input.past_len + (number(0, 4) == 0 ? number(1, 6) : 0);
    input.padding = number(0, 2) == 0 ? number(1, 5) : 0;
    input.padding_side = coin() ? PaddingSide::left : PaddingSide::right;
    const Index real = input.kv_length - input.padding;
    if (number(0, 2) == 0 && real > 6) {
      const Index first = number(3, real - 3);
      input.document_lengths = {first, real - first};
    }
    return *SequenceLayout::make(input);
  }

  Objective objective(const SequenceLayout& layout) {
    const bool extra = layout.kv_length() > layout.past_len() + layout.q_length();
    constexpr std::array all{Objective::causal,  Objective::prefix,        Objective::block_causal,
                             Objective::chunked, Objective::bidirectional, Objective::causal_spans};
    return all[static_cast<std::size_t>(number(0, extra || layout.past_len() > 0 ? 3 : 5))];
  }

  void state_limits(LintCase& given) {
    const bool back = looks_back(given.objective);
    if (given.objective == Objective::prefix) given.prefix_length = number(0, 6);
    if (given.objective == Objective::causal_spans) {
      given.spans.assign(static_cast<std::size_t>(given.layout.kv_length()), -1);
      for (Index i = 0, id = 0; i < given.layout.kv_length(); i += number(1, 6), ++id)
        for (Index end = std::min(given.layout.kv_length(), i + number(1, 5)); i < end; ++i)
          given.spans[static_cast<std::size_t>(i)] = id;
    }
    if (looks_by_chunks(given.objective)) given.chunk = number(2, 6);
    if (given.objective == Objective::chunked && coin()) given.left_frames = number(0, 8);
    if (given.objective == Objective::chunked) given.right_frames = number(0, 3);
    const Index kind = number(0, 5);
    if (back && kind == 0) given.window = number(3, 9);
    if (given.window && coin()) given.sinks = number(1, 3);
    if (given.objective == Objective::causal && kind == 1) given.window_right = number(1, 4);
    if (given.objective == Objective::bidirectional && kind < 3) given.window_left = number(2, 6);
    if (given.objective == Objective::bidirectional && kind > 1) given.window_right = number(2, 6);
    if (given.objective == Objective::causal && kind == 3) given.chunk = number(3, 9);
  }

  static void state_positions(LintCase& given) {
    for (Index q = 0; q < given.layout.q_length(); ++q) given.q_position_ids.push_back(given.layout.q_pos(q));
    for (Index kv = 0; kv < given.layout.kv_length(); ++kv) given.kv_position_ids.push_back(given.layout.kv_pos(kv));
  }

  /// Labels of a next-token loss, aligned or shifted; for an encoder, of some tokens.
  void state_labels(LintCase& given) {
    const SequenceLayout& layout = given.layout;
    if (layout.query_source() == QuerySource::own) return;
    const bool shifted = coin();
    given.labels.assign(static_cast<std::size_t>(layout.q_length()), no_loss);
    const bool back = looks_back(given.objective);
    if (back) given.labels_are = shifted ? LabelKind::shifted : LabelKind::aligned;
    bool any = false;
    for (Index q = 0; q + 1 < layout.q_length(); ++q) {
      const auto own = layout.key_of(q);
      const bool pair = layout.q_valid(q) && layout.q_valid(q + 1) && layout.q_document(q) == layout.q_document(q + 1);
      if (back && (!pair || given.mask->visible(q, *own + 1))) continue;
      if (!back && !pair) continue;
      given.labels[static_cast<std::size_t>(back && shifted ? q + 1 : q)] = 7 + q;
      any = true;
    }
    if (!any) given.labels.clear();
  }

  Random m_random;
};

std::string case_text(const LintCase& given) {
  std::string text = objective_text(given) + " q " + to_text(given.layout.q_length()) + " kv " +
                     to_text(given.layout.kv_length()) + " past " + to_text(given.layout.past_len());
  const auto add = [&](const char* name, const std::optional<Index>& value) {
    if (value) text += std::string(" ") + name + " " + to_text(*value);
  };
  add("prefix", given.prefix_length);
  add("window", given.window);
  add("left", given.window_left);
  add("right", given.window_right);
  add("chunk", given.chunk);
  add("left_frames", given.left_frames);
  add("right_frames", given.right_frames);
  for (const auto& run : given.layout.kv_runs()) text += " " + to_text(run.document) + ":" + to_text(run.tokens.size());
  return text + " sinks " + to_text(given.sinks) + " spans " + format_value(given.spans) + " labels " +
         format_value(given.labels);
}

}  // namespace

class LintPropertyTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void expectedKeysAgreeWithTheDefinition() {
    SetUps setups(3);
    for (int round = 0; round < test::rounds(3000); ++round) {
      const LintCase given = setups.right();
      const CellSet region = wanted_keys(given);
      std::vector<Range> row;
      for (Index q = 0; q < given.layout.q_length(); ++q) {
        if (!given.layout.q_valid(q)) continue;
        row_of(region, q, row);
        for (Index kv = 0; kv < given.layout.kv_length(); ++kv) {
          const bool in = std::ranges::any_of(row, [&](const Range& r) { return r.begin <= kv && kv < r.end; });
          QVERIFY2(in == wanted(given, q, kv), (case_text(given) + " cell " + to_text(q) + ", " + to_text(kv)).c_str());
        }
      }
    }
  }

  void rightMasksHaveNoFindings() {
    SetUps setups(4);
    for (int round = 0; round < test::rounds(3000); ++round) {
      const LintCase given = setups.right();
      const auto report = lint_mask(given);
      QVERIFY2(report.findings.empty(), (case_text(given) + "\n" + lines(report)).c_str());
      LintCase wider = given;
      wider.labels.clear();
      SetUps::state_mask(wider,
                         [&given](Index q, Index kv) { return wanted(given, q, kv) || undecided(given, q, kv); });
      const auto again = lint_mask(wider);
      QVERIFY2(again.findings.empty(), (case_text(given) + "\n" + lines(again)).c_str());
    }
  }

  /// One cell of a real query is the other way round.
  void oneCellIsFound() {
    SetUps setups(5);
    int found = 0;
    for (int round = 0; round < test::rounds(3000); ++round) {
      LintCase given = setups.right();
      given.labels.clear();
      const Index q = setups.number(0, given.layout.q_length() - 1);
      const Index kv = setups.number(0, given.layout.kv_length() - 1);
      if (!given.layout.q_valid(q) || undecided(given, q, kv)) continue;
      SetUps::state_mask(given, [right = given, q, kv](Index row, Index key) {
        return right.mask->visible(row, key) != (row == q && key == kv);
      });
      const auto report = lint_mask(given);
      QVERIFY2(!report.findings.empty(), (case_text(given) + " cell " + to_text(q) + ", " + to_text(kv)).c_str());
      ++found;
    }
    QVERIFY(found > test::rounds(2000));
  }

  /// One position of a real token is another one.
  void onePositionIsFound() {
    SetUps setups(6);
    int found = 0;
    for (int round = 0; round < test::rounds(3000); ++round) {
      LintCase given = setups.right();
      if (given.q_position_ids.empty()) continue;
      const bool queries = setups.coin();
      auto& ids = queries ? given.q_position_ids : given.kv_position_ids;
      const Index token = setups.number(0, static_cast<Index>(ids.size()) - 1);
      if (queries ? !given.layout.q_valid(token) : !given.layout.key_valid(token)) continue;
      const bool all = setups.coin();
      const Index by = setups.number(1, 3);
      for (Index i = all ? 0 : token; i < (all ? static_cast<Index>(ids.size()) : token + 1); ++i)
        ids[static_cast<std::size_t>(i)] += by;
      const auto report = lint_mask(given);
      QVERIFY2(!report.findings.empty(), (case_text(given) + " token " + to_text(token)).c_str());
      ++found;
    }
    QVERIFY(found > test::rounds(1000));
  }

  /// A label where there must be none.
  void oneLabelIsFound() {
    SetUps setups(7);
    int found = 0;
    for (int round = 0; round < test::rounds(4000); ++round) {
      LintCase given = setups.right();
      if (given.labels.empty() || given.labels_are == LabelKind::unset) continue;
      const Index shift = given.labels_are == LabelKind::shifted ? 1 : 0;
      const Index q = setups.number(0, given.layout.q_length() - 2);
      auto& label = given.labels[static_cast<std::size_t>(q + shift)];
      const Index own = *given.layout.key_of(q);
      const bool next_real = given.layout.key_valid(own + 1);
      if (label != no_loss || !given.layout.q_valid(q) || !next_real) continue;
      label = 5;
      const auto report = lint_mask(given);
      QVERIFY2(!report.findings.empty(), (case_text(given) + " label " + to_text(q)).c_str());
      ++found;
    }
    QVERIFY2(found > test::rounds(50), to_text(Index{found}).c_str());
  }
};

VQSCOPE_TEST(LintPropertyTest)
#include "lint_property_test.moc"
