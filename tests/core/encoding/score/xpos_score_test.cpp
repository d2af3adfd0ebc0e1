// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/encoding/bias_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class XposScoreTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    // d = 2: one pair with ζ = 0.4 · 2 / 2.8 = 2/7.
    const ParameterValues::Map set{{"head_dim", Index{2}}, {"scale_base", 4.0}};
    QVERIFY(close(value_at("xpos_score", -8, set), std::cos(8.0) * 4 / 49));
    QCOMPARE(value_at("xpos_score", 0, set), 1.0);
    QVERIFY(std::isnan(value_at("xpos_score", 1, set)));
  }

  void golden_file() {
    const auto distances = golden_distances();
    const auto golden = golden_biases("xpos").toArray();
    QCOMPARE(golden.size(), 1);
    const auto entry = golden[0].toObject();
    const auto wanted = numbers_of(entry["score"]);
    const Index d = entry["head_dim"].toInt();
    const auto field = relative_field("xpos_score", {{"head_dim", d}, {"scale_base", entry["scale_base"].toDouble()}});
    for (std::size_t i = 0; i < distances.size(); ++i)
      QVERIFY(close(field->function().at(-static_cast<Index>(distances[i])) / static_cast<double>(d / 2), wanted[i]));
  }

  void summaries_and_reads() {
    COMPARE_TEXT(method_is_wrong("xpos_score", {{"head_dim", Index{16}}}), "");
    // So short a scale that far keys have nothing left.
    COMPARE_TEXT(method_is_wrong("xpos_score", {{"head_dim", Index{16}}, {"scale_base", 1.0}}), "");
  }

  void reports_and_errors() {
    COMPARE_TEXT(why_at("xpos_score", -3), "k is 3 behind q: Σ cos(3 θ) · ζ^(3/512) over 64 pairs");
    COMPARE_TEXT(why_at("xpos_score", 1),
                 "k is 1 ahead of q, where xPos grows without bound: a causal mask must hide it");
    COMPARE_ERROR(relative_result("xpos_score", {{"head_dim", Index{3}}}), "head_dim is 3 but must be even");
    COMPARE_ERROR(relative_result("xpos_score", {{"scale_base", 0.5}}),
                  "scale_base is 0.5 but must be a number from 1 to 1000000000");
  }
};

VQSCOPE_TEST(XposScoreTest)
#include "xpos_score_test.moc"
