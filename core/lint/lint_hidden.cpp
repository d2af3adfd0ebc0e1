// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/lint_hidden.h"

#include "core/base/sentence.h"
#include "core/lint/fix/document_setting.h"
#include "core/lint/lint_plan.h"
#include "core/lint/lint_regions.h"
#include "core/mask/recognise/recognise.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr Index most_rows = Index{1} << 22;
constexpr Index most_steps = Index{1} << 27;
constexpr Index most_first_rows = Index{1} << 16;  // of a longer mask
constexpr Index most_symmetric = 2048;
constexpr Index most_recognised_steps = Index{1} << 25;

/// How far a query sees within its own document: all keys from `behind` before it to `ahead` after
/// it.
struct RowReach {
  Index position = 0;
  Index last = 0;  ///< of the document
  Index behind = 0;
  Index ahead = 0;
};

/// Reads the reach of each real query, or of the first ones; nothing if a query does not see one
/// contiguous range of keys around itself.
class ReachReader {
 public:
  explicit ReachReader(const LintCase& given, Index first_rows = most_rows + 1)
      : m_given(given), m_rows(std::min(given.layout.q_length(), first_rows)) {}

  std::optional<std::vector<RowReach>> read() {
    const SequenceLayout& layout = m_given.layout;
    if (layout.has_slots() || layout.query_source() == QuerySource::own || m_rows > most_rows) return {};
    CountBudget budget{.left = most_steps};
    std::vector<RowReach> all;
    for (const TokenRun& run : layout.q_runs())
      for (Index q = run.tokens.begin; run.valid && q < std::min(run.tokens.end, m_rows); ++q) {
        m_row.clear();
        if (!read_row(*m_given.mask, q, budget, m_row)) return {};
        const auto reach = reach_of(q, run, keys_of_document(layout, run).front());
        if (!reach) return {};
        all.push_back(*reach);
      }
    return all;
  }

 private:
  std::optional<RowReach> reach_of(Index q, const TokenRun& run, const TokenRun& keys) const {
    const Index self = *m_given.layout.key_of(q);
    for (const Range& seen : m_row) {
      // Keys of other documents belong to other rules; a key further back would leave a gap.
      if (seen.end <= keys.tokens.begin) continue;
      if (seen.end <= self) return {};
      if (seen.begin > self) return {};
      const Range own = common(seen, keys.tokens);
      return RowReach{run.position(q), keys.position(keys.tokens.end - 1), self - own.begin, own.end - 1 - self};
    }
    return {};
  }

  const LintCase& m_given;
  Index m_rows;
  std::vector<Range> m_row;
};

HiddenPurpose window_purpose(Index behind) {
  return {fmt::format("a window of {} keys", behind + 1), suggest("window", behind + 1)};
}

HiddenPurpose window_purpose(Index behind, Index ahead) {
  return {fmt::format("a window of {} behind and {} ahead", behind, ahead),
          {{{"window_left", behind}, {"window_right", ahead}}}};
}

HiddenPurpose documents_purpose(SuggestedValue documents) {
  return {documents_text(documents), {{std::move(documents)}}};
}

HiddenPurpose sparse_purpose(std::string what) { return {std::move(what), suggest("sparse", true)}; }

Index most(const std::vector<RowReach>& rows, Index RowReach::*side) { return std::ranges::max(rows, {}, side).*side; }

std::optional<HiddenPurpose> as_window(const std::vector<RowReach>& rows, bool back) {
  const Index behind = most(rows, &RowReach::behind);
  const Index ahead = most(rows, &RowReach::ahead);
  if (back ? behind == 0 : ahead == 0) return {};
  const bool limits = std::ranges::any_of(
      rows, [&](const RowReach& row) { return row.position > behind || (!back && row.last - row.position > ahead); });
  if (!limits) return {};
  for (const RowReach& row : rows) {
    if (row.behind != std::min(row.position, behind)) return {};
    if (!back && row.ahead != std::min(row.last - row.position, ahead)) return {};
  }
  return back ? window_purpose(behind) : window_purpose(behind, ahead);
}

std::optional<HiddenPurpose> as_chunks(const std::vector<RowReach>& rows, bool back, Index most_behind) {
  const auto first =
      std::ranges::find_if(rows, [](const RowReach& row) { return row.position > 0 && row.behind == 0; });
  if (first == rows.end() || first->position < 2) return {};
  const Index chunk = first->position;
  for (const RowReach& row : rows) {
    if (row.behind != std::min(row.position % chunk, most_behind)) return {};
    const Index last = std::min(row.last, row.position / chunk * chunk + chunk - 1);
    if (!back && row.ahead != last - row.position) return {};
  }
  return HiddenPurpose{fmt::format("chunks of {}", chunk), suggest("chunk", chunk)};
}

/// The positions at which documents of these rows begin. A window does not show the start of the
/// first one if that is in the cache.
std::vector<Index> document_starts(const std::vector<RowReach>& rows, Index most_behind) {
  std::vector<Index> starts;
  for (const RowReach& row : rows)
    if (const Index start = row.position - row.behind; row.behind < most_behind && start > 0)
      if (starts.empty() || starts.back() < start) starts.push_back(start);
  return starts;
}

std::optional<HiddenPurpose> as_documents(const SequenceLayout& layout, const std::vector<RowReach>& rows, bool back,
                                          Index most_behind) {
  if (most(rows, &RowReach::behind) == 0) return {};
  if (std::ranges::none_of(rows, [](const RowReach& row) { return row.position > 0 && row.behind == 0; })) return {};
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const bool starts = rows[i].behind == 0;
    if (!starts && rows[i].behind != std::min(rows[i - 1].behind + 1, most_behind)) return {};
    if (!back && !starts && rows[i].ahead != rows[i - 1].ahead - 1) return {};
    if (!back && starts && rows[i - 1].ahead != 0) return {};
  }
  return documents_purpose(document_setting(layout, document_starts(rows, most_behind)));
}

/// The range of all keys that any query sees.
std::optional<Range> seen_keys(const LintCase& given) {
  const Index rows = given.layout.q_length();
  if (rows > most_rows) return {};
  CountBudget budget{.left = most_steps};
  Range seen{given.layout.kv_length(), 0};
  std::vector<Range> row;
  for (Index q = 0; q < rows; ++q) {
    row.clear();
    if (!read_row(*given.mask, q, budget, row)) return {};
    if (row.empty()) continue;
    seen = {std::min(seen.begin, row.front().begin), std::max(seen.end, row.back().end)};
  }
  return seen.size() > 0 ? std::optional(seen) : std::nullopt;
}

/// How many expected keys are hidden; nothing if counting takes too long.
std::optional<std::uint64_t> hidden_count(const LintCase& given) {
  CountBudget budget{.left = most_steps};
  std::vector<Band> scratch;
  const CellSet wanted = wanted_keys(given, looks_back(given.objective) ? WantedPart::behind : WantedPart::all);
  std::uint64_t hidden = 0;
  const Range all{0, given.mask->extent().rows};
  const Range read = for_each_chunk(*given.mask, all, budget, scratch, [&](Range rows, std::span<const Band> bands) {
    hidden += cell_count(wanted, rows, budget) - common_cells(wanted, bands, rows, budget);
  });
  return read == all && !budget.is_over() ? std::optional(hidden) : std::nullopt;
}

/// Whether no expected key is hidden if the sequence is `input`.
bool nothing_hidden_with(LintCase given, const SequenceInput& input) {
  auto layout = SequenceLayout::make(input);
  if (!layout) return false;
  given.layout = std::move(*layout);
  return hidden_count(given) == 0;
}

HiddenPurpose padding_purpose(std::string what, Index padding, bool left) {
  return {std::move(what), {{{"padding", padding}, {"padding_side", std::string(left ? "left" : "right")}}}};
}

std::optional<HiddenPurpose> as_padding(const LintCase& given) {
  if (padding_count(given.layout) > 0 || document_count(given.layout) > 1) return {};
  if (given.layout.q_length() != given.layout.kv_length()) return {};
  const auto seen = seen_keys(given);
  const Index keys = given.layout.kv_length();
  if (!seen || (seen->begin == 0) == (seen->end == keys)) return {};
  const bool left = seen->begin > 0;
  // A single key at the end, visible to the last query only, is not padding.
  if (!left && seen->end == keys - 1 && looks_back(given.objective)) return {};
  SequenceInput input = given.layout.input();
  input.padding = left ? seen->begin : keys - seen->end;
  input.padding_side = left ? PaddingSide::left : PaddingSide::right;
  if (!nothing_hidden_with(given, input)) return {};
  return padding_purpose("padding of its own", input.padding, left);
}

/// Slots of keys that begin behind each other, with a key in between that no query sees. The
/// queries of one slot follow each other and see its keys from the first one on: the same for all,
/// or one more with each query. xFormers has such masks (GappyKeys, PaddedKeys), as has a batch of
/// padded rows that was made one sequence. One gap can be a wrong cell.
std::optional<HiddenPurpose> as_slots(const LintCase& given) {
  const Index rows = given.layout.q_length();
  if (document_count(given.layout) > 1 || padding_count(given.layout) > 0 || given.chunk || rows > most_rows) return {};
  CountBudget budget{.left = most_steps};
  std::vector<Range> row;
  Range slot;
  Index slots = 0;
  Index gaps = 0;
  for (Index q = 0; q < rows; ++q) {
    if (!read_row(*given.mask, q, budget, row) || row.size() > 1) return {};
    if (row.empty()) continue;  // a query in a gap
    const Range seen = row.front();
    const bool begins = slots == 0 || seen.begin != slot.begin;
    if (begins ? slots > 0 && seen.begin < slot.end : seen.end < slot.end || seen.end > slot.end + 1) return {};
    if (begins) {
      if (slots > 0 && seen.begin > slot.end) ++gaps;
      ++slots;
    }
    slot = seen;
  }
  if (slot.end < given.layout.kv_length()) ++gaps;
  if (gaps < 2 || 2 * slots > rows) return {};
  return sparse_purpose(fmt::format("documents in {} slots with gaps behind their keys", slots));
}

/// Whether visibility is symmetric and each token sees itself.
bool is_symmetric(const LintCase& given) {
  const Index size = given.layout.q_length();
  if (size != given.layout.kv_length() || size > most_symmetric) return false;
  for (Index q = 0; q < size; ++q)
    for (Index kv = 0; kv <= q; ++kv)
      if (kv == q ? !given.mask->visible(q, q) : given.mask->visible(q, kv) != given.mask->visible(kv, q)) return false;
  return true;
}

/// Documents with a window in each, of queries that look back; the documents alone if another window
/// is expected that hides no key more.
std::optional<HiddenPurpose> as_windowed_documents(const LintCase& given, const std::vector<RowReach>& rows) {
  const Index behind = most(rows, &RowReach::behind);
  const auto at_window = [&](const RowReach& a, const RowReach& b) { return a.behind == behind && b.behind == behind; };
  if (given.no_window || std::ranges::adjacent_find(rows, at_window) == rows.end()) return {};
  auto documents = as_documents(given.layout, rows, true, behind);
  if (!documents) return {};
  if (wants_window(given)) {
    const auto& lengths = documents->states.settings.front().value;
    if (!lengths) return {};
    SequenceInput input = given.layout.input();
    input.document_lengths = std::get<std::vector<Index>>(*lengths);
    return nothing_hidden_with(given, input) ? documents : std::nullopt;
  }
  HiddenPurpose window = window_purpose(behind);
  documents->what += " and " + window.what;
  documents->states.settings.push_back(std::move(window.states.settings.front()));
  return documents;
}

/// A window, chunks or documents, also with a window.
std::optional<HiddenPurpose> as_reach(const LintCase& given) {
  const auto rows = ReachReader(given).read();
  if (!rows || rows->empty()) return {};
  const bool back = looks_back(given.objective);
  const Index most_behind = reach_behind(given);
  if (!wants_window(given) && !given.no_window)
    if (auto window = as_window(*rows, back)) return window;
  if (!given.chunk)
    if (auto chunks = as_chunks(*rows, back, most_behind)) return chunks;
  if (document_count(given.layout) > 1) return {};
  if (auto documents = as_documents(given.layout, *rows, back, most_behind)) return documents;
  return back ? as_windowed_documents(given, *rows) : std::nullopt;
}

/// The documents of a recognised mask, whose tokens are counted from the padding on.
SuggestedValue recognised_documents(const LintCase& given, const MaskShape& shape) {
  std::vector<Index> starts;
  for (const Index start : shape.document_starts) starts.push_back(start - shape.pad_left);
  SequenceInput input = given.layout.input();
  if (input.padding == 0) input.padding = shape.pad_left + shape.pad_right;
  const auto layout = SequenceLayout::make(input);
  return layout ? document_setting(*layout, starts) : SuggestedValue{"document_lengths"};
}

/// The parts of a conjunction that hide keys and are not stated; nothing if some part cannot be
/// stated.
std::optional<std::vector<HiddenPurpose>> reasons_of(const LintCase& given, const MaskShape& shape) {
  const bool back = looks_back(given.objective);
  const Index ahead = shape.past_len + shape.right.value_or(0) - given.layout.past_len();
  if (shape.dilation > 1 || shape.hidden.size() > 0 || shape.documents_widen) return {};
  if (back ? !shape.right || ahead != 0 : shape.right && ahead <= 0) return {};
  if (shape.prefix != (given.objective == Objective::prefix ? given.prefix_length.value_or(0) : 0)) return {};
  if (shape.blind_first > shape.pad_left || shape.blind_last > shape.pad_right) return {};
  std::vector<HiddenPurpose> reasons;
  if (!shape.document_starts.empty() && document_count(given.layout) < 2)
    reasons.push_back(documents_purpose(recognised_documents(given, shape)));
  if (const Index padding = shape.pad_left + shape.pad_right; padding > 0 && padding_count(given.layout) == 0) {
    if (shape.pad_left > 0 && shape.pad_right > 0) return {};
    const bool left = shape.pad_left > 0;
    reasons.push_back(
        padding_purpose(fmt::format("padding of {} on the {}", padding, left ? "left" : "right"), padding, left));
  }
  if (shape.sinks > given.sinks)
    reasons.push_back({counted(static_cast<std::uint64_t>(shape.sinks), "sink"), suggest("sinks", shape.sinks)});
  if (!shape.left || wants_window(given) || given.no_window) return reasons;
  if (!back && !shape.right) return {};
  const Index left = *shape.left + given.layout.past_len() - shape.past_len;
  reasons.push_back(back ? window_purpose(left) : window_purpose(left, ahead));
  return reasons;
}

/// A window that the first rows show, where there are too many to read each: no row hides more.
std::optional<HiddenPurpose> as_long_window(LintCase given) {
  if (given.layout.q_length() <= most_rows || !given.mask->has_bands() || !looks_back(given.objective)) return {};
  if (wants_window(given) || given.no_window) return {};
  const auto rows = ReachReader(given, most_first_rows).read();
  if (!rows || rows->empty()) return {};
  auto window = as_window(*rows, true);
  if (!window) return {};
  given.window = most(*rows, &RowReach::behind) + 1;
  return hidden_count(given) == 0 ? window : std::nullopt;
}

/// Several reasons at once, as they are recognised. A few hidden keys are mistakes rather than a
/// window and sinks.
std::optional<HiddenPurpose> as_several(const LintCase& given) {
  const auto found = given.recognition.of(given.mask, most_recognised_steps);
  if (!found || !found->is_exact() || found->pattern.kind != MaskKind::conjunction) return {};
  const auto reasons = reasons_of(given, found->shape);
  if (!reasons || reasons->size() < 2) return {};
  const auto hidden = hidden_count(given);
  if (!hidden || *hidden <= static_cast<std::uint64_t>(found->shape.size())) return {};
  std::vector<std::string> what;
  Suggestion states;
  for (const HiddenPurpose& reason : *reasons) {
    what.push_back(reason.what);
    states.settings.insert(states.settings.end(), reason.states.settings.begin(), reason.states.settings.end());
  }
  return HiddenPurpose{listed(what), std::move(states)};
}

}  // namespace

std::optional<HiddenPurpose> hidden_on_purpose(const LintCase& given) {
  if (looks_by_chunks(given.objective) || !given.draft_blocks.empty()) return {};
  if (given.layout.has_slots()) return {};
  if (given.layout.query_source() == QuerySource::own) return as_slots(given);
  if (auto reach = as_reach(given)) return reach;
  if (auto window = as_long_window(given)) return window;
  if (auto padding = as_padding(given)) return padding;
  if (auto several = as_several(given)) return several;
  if (auto slots = as_slots(given)) return slots;
  const bool encoder = given.objective == Objective::bidirectional && !wants_window(given) && !given.chunk;
  if (encoder && is_symmetric(given)) return sparse_purpose("a symmetric pattern");
  return {};
}

}  // namespace vqscope
