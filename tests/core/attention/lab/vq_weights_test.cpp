// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/lab/vq_weights.h"

#include "tests/core/attention/lab/vq_cases.h"
#include "tests/support/field_checks.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class VqWeightsTest : public QObject {
  Q_OBJECT

 private slots:
  /// One token's own weight is 1; every row's weights add up to 1; ahead there is nothing.
  void rows_add_up() {
    for (const bool normalize : {false, true}) {
      VqSetting setting = small_setting();
      setting.normalize = normalize;
      for (const VqWeights weights : {VqWeights::exact, VqWeights::quantised, VqWeights::difference}) {
        const auto field = make_vq_weights(setting, weights);
        QCOMPARE(field->extent(), (Extent{48, 48}));
        const bool difference = weights == VqWeights::difference;
        for (Index q = 0; q < 48; ++q) {
          double sum = 0;
          for (Index k = 0; k <= q; ++k) sum += field->at(q, k);
          QVERIFY(near(sum, difference ? 0 : 1, 1e-5));
          if (q < 47) QCOMPARE(field->at(q, q + 1), 0.0);
        }
      }
    }
  }

  /// Two keys that have one code weigh the same.
  void keys_of_one_code_weigh_the_same() {
    VqSetting setting = small_setting();
    setting.n_code = 1;
    const auto field = make_vq_weights(setting, VqWeights::quantised);
    for (const Index q : {0, 5, 47})
      for (Index k = 0; k <= q; ++k) QVERIFY(near(field->at(q, k), 1 / static_cast<double>(q + 1), 1e-6));
  }

  void blocks_are_cells() {
    Random random(3);
    for (const VqWeights weights : {VqWeights::exact, VqWeights::quantised, VqWeights::difference}) {
      const auto field = make_vq_weights(small_setting(), weights);
      for (int i = 0; i < 20; ++i) {
        const Index row = pick(random, 0, 47);
        const Index col = pick(random, 0, 47);
        const Rect block{{row, pick(random, row + 1, 48)}, {col, pick(random, col + 1, 48)}};
        std::vector<double> cells(static_cast<std::size_t>(block.area()), -777);
        field->read(block, std::span(cells));
        auto cell = cells.begin();
        for (Index q = block.rows.begin; q < block.rows.end; ++q)
          for (Index k = block.cols.begin; k < block.cols.end; ++k, ++cell)
            QVERIFY(k > q ? *cell == 0 : near(*cell, field->at(q, k), 1e-6));
      }
    }
  }

  void the_difference_is_one() {
    const auto exact = make_vq_weights(small_setting(), VqWeights::exact);
    const auto quantised = make_vq_weights(small_setting(), VqWeights::quantised);
    const auto difference = make_vq_weights(small_setting(), VqWeights::difference);
    double largest = 0;
    for (Index k = 0; k <= 40; ++k) {
      QCOMPARE(difference->at(40, k), quantised->at(40, k) - exact->at(40, k));
      largest = std::max(largest, std::abs(difference->at(40, k)));
    }
    QVERIFY(largest > 0 && largest < 1);
    QCOMPARE(difference->value_range().first, -difference->value_range().second);
  }

  void a_cell_explains_itself() {
    const auto field = make_vq_weights(small_setting(), VqWeights::quantised);
    const CellReport report = field->report(9, 4);
    QCOMPARE(report.facts.size(), std::size_t{7});
    QVERIFY(report.why.find("of 10 keys an even share is 0.1") != std::string::npos);
    COMPARE_TEXT(field->report(4, 9).why, "the key is ahead of the query: causal attention does not see it");
  }

  void methods_choose_the_keys() {
    const Method& method = *find_method("vq_weights");
    auto values = curve_values("vq_weights", small_values({{"q_length", Index{48}}, {"n_code", Index{8}}}));
    const auto quantised = *make_field(method, values);
    values.set("weights", std::string("exact"));
    const auto exact = *make_field(method, values);
    const auto error =
        *make_field(*find_method("vq_weight_error"), carried_values(*find_method("vq_weight_error"), values));
    QCOMPARE(error->at(30, 7), quantised->at(30, 7) - exact->at(30, 7));
    values.set("q_length", Index{4097});
    COMPARE_ERROR(make_field(method, values),
                  "q_length is 4097, must be at most 4096 for weights: every row is summed before one cell is shown");
  }
};

VQSCOPE_TEST(VqWeightsTest)
#include "vq_weights_test.moc"
