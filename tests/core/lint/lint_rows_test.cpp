// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/lint_rows.h"

#include "core/lint/lint.h"
#include "core/mask/methods.h"
#include "core/method/method_list.h"
#include "tests/core/mask/mask_cases.h"
#include "tests/core/mask/row_mask.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

using namespace vqscope;
using namespace vqscope::test;

namespace {

using Settings = std::vector<std::pair<const char*, const char*>>;

/// Values of `visibility` and of the lint settings by name.
LintCase made_case(const Settings& settings) {
  const auto preset_specs = find_method(mask_methods(), "visibility")->parameters;
  const auto specs = lint_parameters();
  auto preset = default_values(preset_specs);
  auto stated = default_values(specs);
  for (const auto& [name, value] : settings) {
    const auto* own = find_spec(specs, name);
    (own ? stated : preset).set(name, *parse_value(own ? *own : *find_spec(preset_specs, name), value));
  }
  return *lint_case(*lint_case(preset), stated);
}

/// Every row that breaks a rule, found one after the other.
std::vector<Index> found_rows(const LintCase& given, bool forwards) {
  std::vector<Index> rows;
  Index from = forwards ? -1 : given.mask->extent().rows;
  while (const auto next = *next_row_that_breaks(given, from, forwards)) rows.push_back(from = *next);
  if (!forwards) std::ranges::reverse(rows);
  return rows;
}

std::vector<Index> rows_that_break(const LintCase& given) {
  std::vector<Index> rows;
  for (Index q = 0; q < given.mask->extent().rows; ++q)
    if (!broken_row(given, q).rules.empty()) rows.push_back(q);
  return rows;
}

/// Definition of the rules about cells and of the one about rows without a key, cell by cell.
bool breaks(const LintCase& given, Index q) {
  const SequenceLayout& layout = given.layout;
  bool any = false;
  bool broken = false;
  for (Index kv = 0; kv < layout.kv_length(); ++kv) {
    const bool seen = given.mask->visible(q, kv);
    any |= seen;
    if (!layout.q_valid(q)) continue;
    const bool real = layout.key_valid(kv);
    const bool own = real && layout.q_document(q) == layout.kv_document(kv);
    const Index behind = layout.q_pos(q) - layout.kv_pos(kv);
    const bool prefix = given.objective == Objective::prefix;
    broken |= seen && (!real || !own || (behind < 0 && !(prefix && layout.kv_pos(kv) < given.prefix_length)));
    broken |= !seen && own && prefix && behind < 0 && layout.kv_pos(kv) < given.prefix_length;
  }
  return broken || !any;
}

}  // namespace

class LintRowsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void aWindowTooWide() {
    const auto given =
        made_case({{"mask", "sliding_window"}, {"q_length", "6"}, {"sliding_window", "3"}, {"window", "2"}});
    QCOMPARE(found_rows(given, true), (std::vector<Index>{2, 3, 4, 5}));
    QCOMPARE(broken_row(given, 2).rules, (std::vector<std::string>{"Window off"}));
    QCOMPARE(broken_row(given, 2).key, std::optional<Index>(0));
    QCOMPARE(broken_row(given, 4).key, std::optional<Index>(2));
    QCOMPARE(broken_row(given, 1).rules, std::vector<std::string>{});
    QCOMPARE(broken_row(given, 1).key, std::optional<Index>());
    QCOMPARE(*next_row_that_breaks(given, 3, false), std::optional<Index>(2));
    QCOMPARE(*next_row_that_breaks(given, 2, false), std::optional<Index>());
    QCOMPARE(*next_row_that_breaks(given, 5, true), std::optional<Index>());
  }

  /// Positions and labels are of tokens, not of cells.
  void positionsAndLabels() {
    QCOMPARE(found_rows(made_case({{"q_length", "4"}, {"position_ids", "0,1,1,2"}}), true), (std::vector<Index>{2}));
    // Keys 3 and 4 are queries 0 and 1: the second one is out of step.
    const auto cached =
        made_case({{"mask", "decode"}, {"q_length", "3"}, {"past_len", "3"}, {"kv_position_ids", "0,1,2,3,3,5"}});
    QCOMPARE(found_rows(cached, true), (std::vector<Index>{1, 2}));
    QCOMPARE(broken_row(cached, 1).rules, (std::vector<std::string>{"Positions out of step"}));
    const auto packed = made_case({{"mask", "packed"},
                                   {"q_length", "6"},
                                   {"document_lengths", "2,2,2"},
                                   {"labels", "1,2,3,4,-100,6"},
                                   {"position_ids", "0,1,0,1,2,3"}});
    QCOMPARE(found_rows(packed, true), (std::vector<Index>{1, 3, 4}));
    QCOMPARE(broken_row(packed, 1).rules, (std::vector<std::string>{"Labels leak or are shifted"}));
    QCOMPARE(broken_row(packed, 4).rules, (std::vector<std::string>{"Packed positions do not reset"}));
    const auto shifted = made_case({{"mask", "decode"}, {"q_length", "2"}, {"past_len", "3"}, {"position_ids", "0,1"}});
    QCOMPARE(found_rows(shifted, true), (std::vector<Index>{0, 1}));
    const auto apart = made_case({{"q_length", "3"}, {"q_position_ids", "0,1,2"}, {"kv_position_ids", "0,1,3"}});
    QCOMPARE(found_rows(apart, true), (std::vector<Index>{2}));
    const auto column = made_case({{"mask", "padding"},
                                   {"q_length", "4"},
                                   {"padding", "2"},
                                   {"rope_gather", "column"},
                                   {"dialect", "additive_inf"}});
    QCOMPARE(found_rows(column, true), (std::vector<Index>{0, 1, 2, 3}));  // the first two see nothing
    QCOMPARE(broken_row(column, 3).rules, (std::vector<std::string>{"RoPE looked up by column"}));
  }

  /// Rules about the whole mask name no row.
  void wholeMasks() {
    QCOMPARE(found_rows(made_case({{"q_length", "4"}, {"dialect", "mha"}, {"true_means", "attends"}}), true),
             std::vector<Index>{});
    QCOMPARE(found_rows(made_case({{"q_length", "3"}, {"values", "zero_one"}}), true), (std::vector<Index>{0, 1}));
    const auto twice = made_case({{"mask", "decode"}, {"q_length", "2"}, {"past_len", "3"}, {"is_causal", "true"}});
    QCOMPARE(found_rows(twice, true), (std::vector<Index>{0, 1}));
  }

  void rowsAgreeWithTheDefinition() {
    Random random(11);
    for (int round = 0; round < 1500; ++round) {
      const MaskCase drawn = random_case(random);
      LintCase given{.mask = drawn.mask(), .layout = drawn.layout};
      if (pick(random, 0, 2) == 0) {
        auto cells = std::make_shared<RowMask>(*given.mask);
        for (int i = 0; i < 3; ++i)
          cells->flip(pick(random, 0, cells->extent().rows - 1), pick(random, 0, cells->extent().cols - 1));
        given.mask = cells;
      }
      given.objective = static_cast<Objective>(pick(random, 0, 1));
      given.prefix_length = pick(random, 0, 9);
      given.sparse = true;
      given.backend = "additive_inf";
      std::vector<Index> wanted;
      for (Index q = 0; q < given.mask->extent().rows; ++q)
        if (breaks(given, q)) wanted.push_back(q);
      QVERIFY2(rows_that_break(given) == wanted, drawn.name().c_str());
      QVERIFY2(found_rows(given, true) == wanted, drawn.name().c_str());
      QVERIFY2(found_rows(given, false) == wanted, drawn.name().c_str());
    }
  }

  /// Rows break a rule where the check finds something, and nowhere else.
  void brokenRowsAgreeWithTheFindings() {
    Random random(12);
    for (int round = 0; round < 500; ++round) {
      const MaskCase drawn = random_case(random);
      LintCase given{.mask = drawn.mask(), .layout = drawn.layout};
      given.window = given.window_left = given.window_right = pick(random, 1, 9);
      given.objective = static_cast<Objective>(pick(random, 0, 3));
      given.prefix_length = pick(random, 0, 9);
      const auto rows = found_rows(given, true);
      const auto report = lint_mask(given);
      QCOMPARE(rows.empty(), report.findings.empty());
      for (const auto& finding : report.findings)
        if (finding.row) QVERIFY2(std::ranges::count(rows, *finding.row) == 1, finding.sentence.c_str());
    }
  }

  void twoMillionRowsByBands() {
    const auto given = made_case({{"mask", "packed"},
                                  {"q_length", "2097152"},
                                  {"padding", "100000"},
                                  {"sliding_window", "4096"},
                                  {"window", "4095"}});
    QCOMPARE(*next_row_that_breaks(given, 98000, true), std::optional<Index>(104095));
    QCOMPARE(*next_row_that_breaks(given, 99999, true), std::optional<Index>(104095));
    QCOMPARE(*next_row_that_breaks(given, 104095, false), std::optional<Index>());
    QCOMPARE(*next_row_that_breaks(given, 2097151, true), std::optional<Index>());
    QCOMPARE(*next_row_that_breaks(made_case({{"q_length", "2097152"}}), -1, true), std::optional<Index>());
  }

  void stopped() {
    std::stop_source stop;
    stop.request_stop();
    const auto row = next_row_that_breaks(made_case({{"q_length", "8"}}), -1, true, stop.get_token());
    QCOMPARE(row.error().code, Errc::cancelled);
  }
};

VQSCOPE_TEST(LintRowsTest)
#include "lint_rows_test.moc"
