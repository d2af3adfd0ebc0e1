// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/solve/condition.h"

#include "tests/core/mask/language/bound_text.h"
#include "tests/core/mask/language/random_program.h"
#include "tests/core/mask/mask_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::language;
using namespace vqscope::test;

namespace {

constexpr auto no_limit = std::numeric_limits<std::size_t>::max();

struct ConditionCase {
  explicit ConditionCase(const std::string& written, const SequenceInput& input, MaskBindings bindings = {})
      : text(written, input, std::move(bindings)) {}

  BoundText text;
  RegionSolver solver{text.bound};
  Condition condition{text.bound, solver, text.bound.visible};
};

/// Why a row within some columns is not what its cells are, or nothing.
std::string condition_row_differs(const ConditionCase& given, Index q, Range cols) {
  CountBudget budget;
  std::vector<Range> row{{-5, -1}};  // is forgotten
  if (!given.condition.row(q, cols, no_limit, budget, row)) return "the row is not known";
  Index last = cols.begin - 1;
  for (const Range& range : row) {
    if (range.begin <= last || range.size() <= 0 || range.end > cols.end) return "intervals are out of order";
    last = range.end;
  }
  for (Index kv = cols.begin; kv < cols.end; ++kv) {
    const bool found = std::ranges::any_of(row, [&](const Range& range) { return range.contains(kv); });
    if (found != given.text.visible(q, kv)) return cell_name(q, kv) + (found ? " is too much" : " is missing");
    if (given.condition.at(q, kv) != found) return cell_name(q, kv) + " is another by itself";
  }
  return {};
}

}  // namespace

class ConditionTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void a_row_by_hand() {
    const ConditionCase given("(kv_idx <= q_idx) & (q_idx - kv_idx < 3) | (kv_idx == 0)", {.q_length = 8});
    CountBudget budget;
    std::vector<Range> row;
    QVERIFY(given.condition.row(6, {0, 8}, no_limit, budget, row));
    QCOMPARE(row, (std::vector<Range>{{0, 1}, {4, 7}}));
    QVERIFY(given.condition.row(6, {1, 6}, no_limit, budget, row));
    QCOMPARE(row, (std::vector<Range>{{4, 6}}));
    QVERIFY(given.condition.row(6, {1, 3}, no_limit, budget, row));
    QVERIFY(row.empty());
    QCOMPARE(given.condition.root(), given.text.bound.visible);
  }

  void rows_of_random_programs_at_any_window() {
    Random random(81);
    for (int i = 0; i < 1000; ++i) {
      const std::string written = ProgramWriter(random).text();
      MaskBindings bindings{.integers = {{"window", pick(random, -2, 9)}}};
      for (Index k = 0; k < 50; ++k) bindings.arrays["values"].push_back(pick(random, -3, 9));
      const ConditionCase given(written, random_input(random), std::move(bindings));
      const auto [rows, cols] = given.text.bound.extent;
      for (int k = 0; k < 3; ++k) {
        const Index begin = pick(random, 0, cols - 1);
        const auto wrong = condition_row_differs(given, pick(random, 0, rows - 1), {begin, pick(random, begin, cols)});
        QVERIFY2(wrong.empty(), (wrong + "\n" + written).c_str());
      }
    }
  }

  /// More nodes than the usual buffer holds.
  void a_long_program() {
    std::string written = "kv_idx <= q_idx";
    for (int i = 0; i < 150; ++i) written = "(" + written + ") ^ (kv_idx % " + to_text(Index{i + 2}) + " == 1)";
    const ConditionCase given(written, {.q_length = 30});
    QVERIFY(given.text.bound.nodes.size() > 128);
    for (Index q = 0; q < 30; ++q) COMPARE_TEXT(condition_row_differs(given, q, {0, 30}), "");
  }

  void two_million_keys_solved_and_looked_at() {
    const Index length = 2097152;
    for (const char* written :
         {"(kv_idx <= q_idx) & (kv_idx % 4096 < 3)", "(kv_idx <= q_idx) & ((q_idx ^ kv_idx) < 5)"}) {
      const ConditionCase given(written, {.q_length = length});
      CountBudget budget;
      std::vector<Range> row;
      const Index q = 1500001;
      QVERIFY(given.condition.row(q, {0, length}, no_limit, budget, row));
      QVERIFY(!row.empty());
      Random random(82);
      for (const Range& range : row)
        for (const Index kv : {range.begin - 1, range.begin, range.end - 1, range.end}) {
          if (kv < 0 || kv >= length) continue;
          QVERIFY2(given.text.visible(q, kv) == range.contains(kv), written);
        }
      for (int i = 0; i < 2000; ++i) {
        const Index kv = pick(random, 0, length - 1);
        const bool found = std::ranges::any_of(row, [&](const Range& range) { return range.contains(kv); });
        QVERIFY2(found == given.text.visible(q, kv), written);
      }
    }
  }

  void a_row_of_too_many_intervals_is_given_up() {
    const ConditionCase given("(q_idx ^ kv_idx) % 2 == 0", {.q_length = 4000});
    std::vector<Range> row;
    CountBudget budget;
    QVERIFY(given.condition.row(1, {0, 4000}, 2000, budget, row));
    QCOMPARE(row.size(), std::size_t{2000});
    QVERIFY(!budget.is_over());
    QVERIFY(!given.condition.row(1, {0, 4000}, 1999, budget, row));
    QVERIFY(budget.is_over());
  }

  void a_budget_ends_a_row() {
    const ConditionCase given("(q_idx ^ kv_idx) % 3 == 0", {.q_length = 200000});
    std::vector<Range> row;
    CountBudget little{.left = 1000, .stop = {}};
    QVERIFY(!given.condition.row(5, {0, 200000}, no_limit, little, row));
    QVERIFY(little.is_over());
    // A spent budget is not used again, and leaves no result.
    row = {{1, 2}};
    QVERIFY(!given.condition.row(5, {0, 200000}, no_limit, little, row));
    QVERIFY(row.empty());
    CountBudget enough;
    QVERIFY(given.condition.row(5, {0, 200000}, no_limit, enough, row));
    const Index taken = std::numeric_limits<Index>::max() - enough.left;
    QVERIFY2(taken >= 200000 * given.condition.steps_of_key(), "each key is paid for");
  }

  void a_stop_ends_a_row() {
    std::stop_source stop;
    stop.request_stop();
    for (const char* written : {"kv_idx <= q_idx", "(q_idx ^ kv_idx) % 3 == 0"}) {
      const ConditionCase given(written, {.q_length = 1000});
      CountBudget stopped{.stop = stop.get_token()};
      std::vector<Range> row;
      QVERIFY(!given.condition.row(5, {0, 1000}, no_limit, stopped, row));
      // And not for good.
      CountBudget budget;
      QVERIFY(given.condition.row(5, {0, 1000}, no_limit, budget, row));
    }
  }

  void operations_that_go_lane_by_lane_take_longer() {
    const auto steps = [](const char* written) {
      return ConditionCase(written, {.q_length = 100}).condition.steps_of_key();
    };
    QCOMPARE(steps("kv_idx <= q_idx"), Index{1});
    // Nodes that depend only on the query are computed once per row.
    QCOMPARE(steps("kv_idx <= q_idx // 3 % 5"), Index{1});
    // kv, kv % 3 and the comparison: 1 + 32 + 1 eighths.
    QCOMPARE(steps("kv_idx % 3 == q_idx"), Index{1 + 34 / 8});
    QVERIFY(steps("kv_idx % 3 + kv_idx // 3 == q_idx") > steps("kv_idx % 3 == q_idx"));
  }
};

VQSCOPE_TEST(ConditionTest)
#include "condition_test.moc"
