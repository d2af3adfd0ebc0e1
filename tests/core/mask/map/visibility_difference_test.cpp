// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/map/visibility_difference.h"

#include "core/mask/map/visibility_field.h"
#include "core/mask/methods.h"
#include "core/method/compared.h"
#include "core/method/method_list.h"
#include "tests/core/mask/mask_cases.h"
#include "tests/core/mask/row_mask.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// A row takes as long as seven intervals.
struct ExpensiveRows : RowMask {
  using RowMask::RowMask;
  Index row_cost() const override { return 7; }
};

}  // namespace

class VisibilityDifferenceTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void summaries_agree_with_the_cells() {
    Random random(1);
    for (int i = 0; i < 1000; ++i) {
      const MaskCase c = random_case(random);
      MaskCase d = random_case(random);
      d.layout = c.layout;
      std::shared_ptr<const Mask> second = d.mask();
      std::shared_ptr<const Mask> first = c.mask();
      if (i % 3 == 0) second = std::make_shared<RowMask>(*second);
      if (i % 6 == 0) first = std::make_shared<RowMask>(*first);
      const VisibilityDifference field(first, second);
      const auto wrong = summary_differs(field, random_tile_grid(random, field.extent()));
      QVERIFY2(wrong.empty(), (wrong + " of " + c.name() + " and " + d.name()).c_str());
    }
  }

  /// A window of one key against one of two, in four tiles: both see the diagonal.
  void the_reason_is_that_both_see_a_cell() {
    const auto layout = *SequenceLayout::make({.q_length = 4});
    const VisibilityDifference field(MaskCase{layout, {"causal", "sliding_window"}, 0, 1}.mask(),
                                     MaskCase{layout, {"causal", "sliding_window"}, 0, 2}.mask());
    Summary summary;
    QVERIFY(field.summarize({{0, 2, 4}, {0, 2, 4}}, {.reasons = true}, summary));
    QCOMPARE(summary.reason, (std::vector<std::uint8_t>{1, 0, 0, 1}));
    QCOMPARE(summary.min, (std::vector<float>{-1, 0, -1, -1}));
    QCOMPARE(field.reasons(), std::vector<std::string>{"both"});
  }

  /// As many as max_cells, each of which takes as long as row_cost intervals; or many intervals in
  /// a row.
  void expensive_rows_are_sampled() {
    const auto layout = *SequenceLayout::make({.q_length = 100});
    const auto causal = MaskCase{layout, {"causal"}}.mask();
    Summary summary;
    const auto is_exact = [&](const std::shared_ptr<const Mask>& second, Index max_cells) {
      const SummaryOptions options{.max_cells = max_cells};
      const VisibilityDifference field(causal, second);
      return field.summarize({{0, 50, 100}, {0, 50, 100}}, options, summary).has_value() && summary.exact;
    };
    const auto expensive = std::make_shared<ExpensiveRows>(*causal);
    QVERIFY(is_exact(expensive, 700));
    QCOMPARE(summary.mean, (std::vector<float>{0, 0, 0, 0}));
    QVERIFY(!is_exact(expensive, 699));
    QVERIFY2(is_exact(causal, 1), "it has bands");
    const auto stripes = std::make_shared<RowMask>(*causal);
    for (Index q = 0; q < 100; ++q)
      for (Index kv = 1; kv < q; kv += 2) stripes->flip(q, kv);
    QVERIFY(is_exact(stripes, 9999));
    QVERIFY(!is_exact(stripes, 1000));
    const VisibilityDifference field(causal, expensive);
    const auto refused = field.summarize({{0, 50, 100}, {0, 100}}, {.max_cells = 699, .exact_only = true}, summary);
    QVERIFY(!refused && refused.error().code == Errc::too_large);
  }

  void two_million_are_exact() {
    const Method& method = *find_method(mask_methods(), "visibility");
    auto values = default_values(method.parameters);
    const Index T = Index{1} << 21;
    values.set("q_length", T);
    auto minus = values;
    minus.set("sliding_window", T - 1);
    const auto field = make_compared_field(method, values, minus).value();
    Summary summary;
    QVERIFY(field->summarize({{0, T / 2, T}, {0, T / 2, T}}, {}, summary));
    QVERIFY(summary.exact);
    // The last query misses the first key, and nothing else differs.
    QCOMPARE(summary.max, (std::vector<float>{0, 0, 1, 0}));
    QCOMPARE(summary.min, (std::vector<float>{0, 0, 0, 0}));
    QCOMPARE(summary.mean[2], 0x1p-40F);
    QCOMPARE(field->at(T - 1, 0), 1.0);
  }
};

VQSCOPE_TEST(VisibilityDifferenceTest)
#include "visibility_difference_test.moc"
