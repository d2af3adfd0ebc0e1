// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/solve/condition.h"

#include "core/mask/language/evaluate/lane_evaluator.h"
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

/// Why what is solved of a text is not what each cell is, or nothing; `solved` counts those that
/// can be solved.
std::string solved_differs(const BoundText& text, const CellSet& within, int& solved) {
  const RegionSolver solver(text.bound);
  const auto region = solver.solve(text.bound.visible, within, ample);
  if (!region) return {};
  ++solved;
  return region_differs(*region, within, text.bound.extent, [&](Index q, Index kv) { return text.visible(q, kv); });
}

/// Integers of query and key that can be taken apart, and some that cannot.
const std::vector<std::string> integer_terms{"q_idx",
                                             "kv_idx",
                                             "(q_idx - kv_idx)",
                                             "(kv_idx - q_idx - 2)",
                                             "abs(q_idx - kv_idx)",
                                             "q_idx // 3",
                                             "kv_idx // 3",
                                             "((q_idx - kv_idx) // 4)",
                                             "kv_idx % 5",
                                             "((q_idx - kv_idx) % 3)",
                                             "values[q_idx]",
                                             "values[kv_idx]",
                                             "values[q_idx - kv_idx]",
                                             "(3 * kv_idx)",
                                             "min(q_idx, kv_idx)",
                                             "max(q_idx - 4, kv_idx)",
                                             "(q_idx ^ 5)",
                                             "(kv_idx & 6)",
                                             "torch.where(kv_idx < 7, q_idx, kv_idx)",
                                             "-kv_idx",
                                             "(q_idx + kv_idx)",
                                             "(2 * q_idx - 2 * kv_idx)",
                                             "(7 if q_idx > kv_idx else q_idx - kv_idx)",
                                             "q_doc",
                                             "kv_pos",
                                             "n"};

MaskBindings bindings_of(Random& random) {
  MaskBindings bindings{.integers = {{"n", pick(random, -2, 12)}}};
  std::vector<Index>& values = bindings.arrays["values"];
  for (Index i = 0; i < 60; ++i) values.push_back(i < 20 ? i / 4 : i < 40 ? i - 22 : pick(random, -3, 6));
  return bindings;
}

SequenceInput packed_sequence() {
  return {.q_length = 22, .kv_length = 31, .past_len = 6, .document_lengths = {9, 22}};
}

}  // namespace

class RegionSolverTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void a_causal_window_by_hand() {
    const BoundText text("(kv_idx <= q_idx) & (q_idx - kv_idx < 2)", {.q_length = 4});
    const RegionSolver solver(text.bound);
    const auto region = solver.solve(text.bound.visible, whole_of({4, 4}), ample);
    QVERIFY(region);
    std::vector<Range> row;
    for (const auto& [q, wanted] :
         std::initializer_list<std::pair<Index, Range>>{{0, {0, 1}}, {1, {0, 2}}, {2, {1, 3}}, {3, {2, 4}}}) {
      vqscope::row_of(*region, q, row);
      QCOMPARE(row, std::vector<Range>{wanted});
    }
    // Two bands: the first row or two, in which the window begins at 0, and the rest.
    QVERIFY2(region->size() <= 2, qPrintable(QString::number(region->size())));
  }

  /// Each pair of integers under each comparison.
  void each_pair_of_integers() {
    Random random(1);
    int solved = 0, tried = 0;
    for (const std::string& left : integer_terms)
      for (const std::string& right : integer_terms) {
        const char* const symbols[]{"<", "<=", ">", ">=", "==", "!="};
        const std::string written = left + " " + symbols[tried % 6] + " " + right;
        const BoundText text(written, packed_sequence(), bindings_of(random));
        QVERIFY2(text.program, written.c_str());
        const auto wrong = solved_differs(text, whole_of(text.bound.extent), solved);
        QVERIFY2(wrong.empty(), (written + ": " + wrong).c_str());
        ++tried;
      }
    QVERIFY2(solved * 2 > tried, qPrintable(QStringLiteral("%1 of %2").arg(solved).arg(tried)));
  }

  /// Operators that join two conditions, over regions that are no rectangle.
  void each_pair_of_conditions_within_any_region() {
    Random random(2);
    const std::vector<std::string> conditions{"kv_idx <= q_idx",
                                              "q_idx - kv_idx < n",
                                              "(q_idx - kv_idx) % 3 == 1",
                                              "kv_idx // 4 == q_idx // 4",
                                              "kv_idx % 5 != 2",
                                              "q_idx > 9",
                                              "key_valid",
                                              "q_doc == kv_doc",
                                              "values[kv_idx] <= q_idx",
                                              "abs(q_idx - kv_idx) > 3",
                                              "values[kv_idx] == values[q_idx]"};
    int solved = 0, tried = 0;
    for (const std::string& left : conditions)
      for (const std::string& right : conditions)
        for (const std::string& written : {"(" + left + ") & (" + right + ")", "(" + left + ") | (" + right + ")",
                                           "(" + left + ") ^ (" + right + ")", "(" + left + ") & ~(" + right + ")",
                                           "(" + left + ") if (" + right + ") else not (" + left + ")",
                                           "((" + left + ").int() + (" + right + ").int()) == 1"}) {
          const BoundText text(written, packed_sequence(), bindings_of(random));
          QVERIFY2(text.program, written.c_str());
          const auto wrong = solved_differs(text, random_region(random, text.bound.extent), solved);
          QVERIFY2(wrong.empty(), (written + ": " + wrong).c_str());
          ++tried;
        }
    QVERIFY2(solved * 10 > tried * 9, qPrintable(QStringLiteral("%1 of %2").arg(solved).arg(tried)));
  }

  void random_programs_within_any_region() {
    Random random(3);
    int solved = 0;
    const int count = 1000;
    for (int i = 0; i < count; ++i) {
      const std::string written = ProgramWriter(random).text();
      MaskBindings bindings{.integers = {{"window", pick(random, -2, 9)}}};
      for (Index k = 0; k < 50; ++k) bindings.arrays["values"].push_back(k % 11 == 3 ? pick(random, -3, 9) : k / 3);
      const BoundText text(written, random_input(random), std::move(bindings));
      QVERIFY2(text.program, written.c_str());
      const auto wrong = solved_differs(text, random_region(random, text.bound.extent), solved);
      QVERIFY2(wrong.empty(), (wrong + "\n" + written).c_str());
    }
    QVERIFY2(solved > count / 4, qPrintable(QString::number(solved)));
  }

  /// Within one row more is linear: products with the query, keys that go twice as fast.
  void single_rows_are_solved_where_the_whole_is_not() {
    for (const char* written : {"2 * kv_idx <= q_idx", "q_idx * 3 - kv_idx * 2 == 7", "kv_idx % 3 == q_idx % 4",
                                "kv_idx * 5 // 7 < q_idx", "abs(q_idx - 3 * kv_idx) <= 4"}) {
      const BoundText text(written, {.q_length = 40});
      const RegionSolver solver(text.bound);
      int rows = 0;
      for (Index q = 0; q < 40; ++q) {
        const CellSet row = CellSet::whole({q, q + 1}, {3, 37});
        const auto region = solver.solve(text.bound.visible, row, ample);
        if (!region) continue;
        ++rows;
        const auto wrong =
            region_differs(*region, row, {40, 40}, [&](Index i, Index kv) { return text.visible(i, kv); });
        QVERIFY2(wrong.empty(), (std::string(written) + ": " + wrong).c_str());
      }
      QVERIFY2(rows == 40, written);
    }
  }

  /// Sums of numbers near the largest that are solved, and divisors as large as 64 bits are.
  void numbers_at_the_ends_of_64_bits() {
    int solved = 0;
    for (const char* number : {"9223372036854775807", "4611686018427387904", "1152921504606846975",
                               "2305843009213693952", "1152921504606846976", "9223372036854775806"})
      for (const char* written :
           {"(q_idx - kv_idx + 5) // N == -1", "(q_idx - kv_idx - 5) // N == 0", "(q_idx - kv_idx - 5) // N <= -1",
            "(q_idx - kv_idx + 5) // N < 0", "(q_idx - kv_idx - 5) // N + kv_idx == 3", "(q_idx - kv_idx - 5) % N == 3",
            "(q_idx - kv_idx + 5) % N == 8", "q_idx - kv_idx + 5 < N", "q_idx - kv_idx - 5 > -N", "q_idx - kv_idx == N",
            "kv_idx - N <= q_idx - N", "N - kv_idx < N - q_idx", "abs(q_idx - kv_idx - N) > N",
            "(N - q_idx) // 2 > (N - kv_idx) // 2", "-1 < (q_idx - kv_idx - 9) // N"}) {
        std::string text = written;
        for (std::size_t at; (at = text.find('N')) != std::string::npos;) text.replace(at, 1, number);
        const BoundText bound(text, {.q_length = 20});
        QVERIFY2(bound.program, text.c_str());
        const auto wrong = solved_differs(bound, whole_of({20, 20}), solved);
        QVERIFY2(wrong.empty(), (text + ": " + wrong).c_str());
      }
    QVERIFY2(solved > 45, qPrintable(QString::number(solved)));
  }

  void two_million_tokens() {
    const Index length = 2097152;
    MaskBindings bindings;
    std::vector<Index>& values = bindings.arrays["document_id"];
    for (Index i = 0; i < length; ++i) values.push_back(i / 4096 + (i % 4096 > 3000 ? 1 : 0));
    for (const char* written :
         {"(kv_idx <= q_idx) & (q_idx - kv_idx < 4096)", "document_id[q_idx] == document_id[kv_idx]",
          "(kv_idx <= q_idx) & (kv_idx // 1024 == q_idx // 1024)", "(kv_idx % 65536 < 16) | (abs(q_idx - kv_idx) <= 9)",
          "(q_idx - kv_idx >= 0) & ((q_idx - kv_idx) // 262144 % 2 == 1)"}) {
      const BoundText text(written, {.q_length = length}, bindings);
      const RegionSolver solver(text.bound);
      const auto region = solver.solve(text.bound.visible, whole_of({length, length}), ample);
      QVERIFY2(region, written);
      Random random(4);
      std::vector<Range> row;
      for (int i = 0; i < 60; ++i) {
        const Index q = i < 4 ? i : i < 8 ? length - i : pick(random, 0, length - 1);
        vqscope::row_of(*region, q, row);
        // Beside each border, and anywhere.
        std::vector<Index> keys;
        for (std::size_t k = 0; k < row.size(); k += row.size() / 8 + 1)
          for (const Index kv : {row[k].begin - 1, row[k].begin, row[k].end - 1, row[k].end}) keys.push_back(kv);
        for (int k = 0; k < 20; ++k) keys.push_back(pick(random, 0, length - 1));
        for (const Index kv : keys) {
          if (kv < 0 || kv >= length) continue;
          const bool found = std::ranges::any_of(row, [&](const Range& some) { return some.contains(kv); });
          QVERIFY2(found == text.visible(q, kv), (std::string(written) + " " + cell_name(q, kv)).c_str());
        }
      }
    }
  }

  void a_budget_is_kept() {
    const BoundText text("(q_idx - kv_idx) % 7 == 3", {.q_length = 500});
    const RegionSolver solver(text.bound);
    const CellSet all = whole_of({500, 500});
    Index steps = 0;
    QVERIFY(solver.solve(text.bound.visible, all, ample, &steps));
    QVERIFY(steps > 100);
    const auto solved = [&](Index allowed) { return solver.solve(text.bound.visible, all, {allowed, {}}).has_value(); };
    QVERIFY(solved(steps));
    QVERIFY(!solved(steps - 1));
    QVERIFY(!solved(steps / 2));
    QVERIFY(!solved(1));
    // The steps are reported even without a result, and exceed the budget only slightly.
    Index taken = 0;
    QVERIFY(!solver.solve(text.bound.visible, all, {50, {}}, &taken));
    QVERIFY2(taken > 50 && taken < steps, qPrintable(QString::number(taken)));
  }

  void stopped_solver_has_no_result() {
    std::stop_source stop;
    stop.request_stop();
    const BoundText text("(kv_idx <= q_idx) & (kv_idx // 4 == q_idx // 4)", {.q_length = 50});
    const CellSet all = whole_of({50, 50});
    QVERIFY(!RegionSolver(text.bound).solve(text.bound.visible, all, {Index{1} << 30, stop.get_token()}));
    QVERIFY(!RegionSolver(text.bound, stop.get_token()).solve(text.bound.visible, all, ample));
    QVERIFY(RegionSolver(text.bound).solve(text.bound.visible, all, ample));
  }

  /// The first condition of a conjunction is reported as without the others.
  void the_first_condition_of_an_and_is_kept() {
    const BoundText text("(kv_idx <= q_idx) & (q_idx - kv_idx < 5)", {.q_length = 30});
    const RegionSolver solver(text.bound);
    SolvedCondition first;
    QVERIFY(solver.solve(text.bound.visible, whole_of({30, 30}), ample, nullptr, &first));
    QVERIFY(first.root == text.bound.terms[0].holds || first.root == text.bound.terms[1].holds);
    const bool is_causal = first.root == text.bound.terms[0].holds;
    COMPARE_TEXT(region_differs(first.region, whole_of({30, 30}), {30, 30},
                                [&](Index q, Index kv) { return is_causal ? kv <= q : q - kv < 5; }),
                 "");
    // A text of one condition has none to keep.
    const BoundText alone("kv_idx <= q_idx", {.q_length = 30});
    SolvedCondition none;
    QVERIFY(RegionSolver(alone.bound).solve(alone.bound.visible, whole_of({30, 30}), ample, nullptr, &none));
    QCOMPARE(none.root, no_node);
  }

  void empty_region_stays_empty() {
    const BoundText text("kv_idx <= q_idx", {.q_length = 3});
    const auto region = RegionSolver(text.bound).solve(text.bound.visible, CellSet{}, ample);
    QVERIFY(region && region->is_empty());
  }
};

VQSCOPE_TEST(RegionSolverTest)
#include "region_solver_test.moc"
