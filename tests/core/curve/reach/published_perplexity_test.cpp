// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/curve/curve_cases.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class PublishedPerplexityTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void the_table_as_it_stands() {
    const auto set = *curves_of("published_perplexity");
    QCOMPARE(set.x, (std::vector<double>{512, 1012, 2512, 5512, 12512}));
    QCOMPARE(set.curves.size(), std::size_t{4});
    QCOMPARE(curve_of(set, "sinusoidal (Press et al.)").y, (std::vector<double>{20.05, 43.54, 132.41, 240.44, 373.17}));
    QCOMPARE(curve_of(set, "rotary (Press et al.)").y, (std::vector<double>{20.07, 21.37, 31.58, 43.14, 69.70}));
    QCOMPARE(curve_of(set, "T5 bias (Press et al.)").y, (std::vector<double>{19.65, 18.79, 20.41, 29.54, 64.94}));
    QCOMPARE(curve_of(set, "ALiBi (Press et al.)").y, (std::vector<double>{19.73, 18.73, 18.41, 18.36, 18.31}));
    QCOMPARE(set.marks.front().x, 512.0);
    COMPARE_TEXT(set.formula,
                 "copied from Press et al. 2022, Train Short, Test Long, table 2: WikiText-103, trained at 512 tokens; "
                 "nothing here is computed");
    COMPARE_TEXT(name_of(find_method(curve_methods(), "published_perplexity")->curves()->origin),
                 name_of(CurveOrigin::published));
  }

  void in_trained_lengths() {
    const auto set = *curves_of("published_perplexity", {{"x_unit", std::string("trained_lengths")}});
    QCOMPARE(set.x.front(), 1.0);
    QCOMPARE(set.marks.front().x, 1.0);
    COMPARE_TEXT(set.x_title, "sequence length (training lengths)");
  }
};

VQSCOPE_TEST(PublishedPerplexityTest)
#include "published_perplexity_test.moc"
