// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/table/table_values.h"

#include "tests/core/encoding/table_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class LearnedAbsoluteTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void rows_of_one_table() {
    const auto all = table("learned_absolute", {});
    QCOMPARE(all->extent(), (Extent{1024, 768}));
    QCOMPARE(all->at(7, 5), 0.02 * drawn_normal(0, 7, 5));
    // Neither the size of the table nor where a query begins moves a number.
    const auto part = table("learned_absolute", {{"q_length", Index{3}},
                                                 {"past_len", Index{7}},
                                                 {"d_model", Index{9}},
                                                 {"max_position_embeddings", Index{10}},
                                                 {"std", 1.0}});
    QCOMPARE(part->at(0, 5), drawn_normal(0, 7, 5));
    QVERIFY(table("learned_absolute", {{"seed", Index{1}}})->at(7, 5) != all->at(7, 5));
  }

  void numbers_are_normal_and_independent() {
    double sum = 0, squares = 0, fourth = 0, along_row = 0, along_col = 0, seeds = 0;
    const Index side = 300;
    for (Index p = 0; p < side; ++p)
      for (Index d = 0; d < side; ++d) {
        const double x = drawn_normal(3, p, d);
        sum += x;
        squares += x * x;
        fourth += x * x * x * x;
        along_row += x * drawn_normal(3, p, d + 1);
        along_col += x * drawn_normal(3, p + 1, d);
        seeds += x * drawn_normal(4, p, d);
      }
    const double n = static_cast<double>(side * side);
    // Five standard deviations of each of these means: 1, √2, √96 and 1 over √n.
    const double one = 5 / std::sqrt(n);
    QVERIFY(std::abs(sum / n) < one);
    QVERIFY(std::abs(squares / n - 1) < 1.5 * one);
    QVERIFY(std::abs(fourth / n - 3) < 10 * one);
    for (const double product : {along_row, along_col, seeds}) QVERIFY(std::abs(product / n) < one);
  }

  void summaries_and_reads() {
    Random random(1);
    for (int i = 0; i < 20; ++i) {
      const Index past = pick(random, 0, 500);
      const auto field =
          table("learned_absolute", {{"q_length", Index{200}}, {"past_len", past}, {"d_model", Index{60}}});
      const auto wrong = table_differs(
          *field, random_tile_grid(random, field->extent()),
          [&](Index q, Index d) { return 0.02 * drawn_normal(0, past + q, d); }, 1e-15);
      QVERIFY2(wrong.empty(), wrong.c_str());
    }
  }

  void a_position_without_a_row_is_an_error() {
    QVERIFY(table_result("learned_absolute", {{"q_length", Index{1024}}}));
    COMPARE_ERROR(
        table_result("learned_absolute", {{"q_length", Index{1025}}}),
        "a query has position 1024 but must be below max_position_embeddings = 1024: a learned table has no rows "
        "beyond it");
    COMPARE_ERROR(
        table_result("learned_absolute", {{"q_length", Index{1}}, {"past_len", Index{2000}}}),
        "a query has position 2000 but must be below max_position_embeddings = 1024: a learned table has no rows "
        "beyond it");
    // Positions restart with each document.
    QVERIFY(table_result("learned_absolute",
                         {{"q_length", Index{2048}}, {"document_lengths", std::vector<Index>{1024, 1024}}}));
  }

  void reports() {
    const auto field = table("learned_absolute", {{"q_length", Index{9}}, {"past_len", Index{1000}}});
    COMPARE_TEXT(
        field->report(3, 2).why,
        "row 1\u202f003 of the table, sampled from seed with standard deviation 0.02: what training starts from");
    QCOMPARE(field->report(3, 2).facts[3].second, to_text(field->at(3, 2), 7));
  }
};

VQSCOPE_TEST(LearnedAbsoluteTest)
#include "learned_absolute_test.moc"
