// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/long_context/sink_softmax.h"

#include "core/experiment/methods.h"
#include "tests/core/experiment/vq_cases.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

class SinkSoftmaxTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Scores 0 and ln 3 beside a sink of ln 4: 1, 3 and 4 of 8.
  void by_hand() {
    const std::vector<double> scores{0, std::log(3)};
    const SinkWeights weights = sink_weights(scores, {}, std::log(4));
    QVERIFY(std::abs(weights.keys[0] - 0.125) < 1e-12);
    QVERIFY(std::abs(weights.keys[1] - 0.375) < 1e-12);
    QVERIFY(std::abs(weights.sink - 0.5) < 1e-12);
  }

  /// A tile whose keys are all hidden leaves the maximum alone: e^2 / (e^2 + e^s) for any real
  /// maximum s.
  void empty_tile_has_no_weight() {
    const std::vector<double> scores{-100000, 100000, 3};
    const std::vector<Index> visible{0, 0, 1};
    const SinkWeights weights = sink_weights(scores, visible, 2);
    QVERIFY(std::abs(weights.sink - 1 / (1 + std::exp(1.0))) < 1e-12);
    QCOMPARE(weights.keys[0], 0.0);
    QCOMPARE(weights.keys[1], 0.0);
    const std::vector<Index> none{0, 0, 0};
    QCOMPARE(sink_weights(scores, none, 2).sink, 1.0);  // the sink takes everything
    for (const double s : {-1e6, -20.0, 0.0, 700.0, 1e6}) {
      const double sink = sink_weights(std::vector<double>{s}, {}, 2).sink;
      QVERIFY(std::isfinite(sink) && sink >= 0 && sink <= 1);
    }
  }

  void curves_and_facts() {
    const auto set = *curves_of("sink_softmax", {{"scores", std::vector<double>{3}}, {"sink", 2.0}});
    COMPARE_TEXT(incomplete(set), "");
    QCOMPARE(set.facts[0].first, std::string("sink_weight"));
    QVERIFY(std::abs(set.facts[0].second - 0.2689414213699951) < 1e-12);
    QCOMPARE(set.curves[1].y, std::vector<double>{1});
    const Method method = sink_softmax_method();
    COMPARE_TEXT(method.remark(default_values(method.parameters), {}),
                 "the sink has weight 0.0761966, all keys together 0.923803");
  }

  void bad_values() {
    COMPARE_ERROR(curves_of("sink_softmax", {{"scores", std::vector<double>{}}}),
                  "scores is empty but must have the score of at least one key");
    COMPARE_ERROR(curves_of("sink_softmax", {{"visible", std::vector<Index>{1}}}),
                  "visible has 1 entries but must have 4, one for each score");
  }
};

VQSCOPE_TEST(SinkSoftmaxTest)
#include "sink_softmax_test.moc"
