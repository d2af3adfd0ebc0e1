// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/encoding/bias_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class RopeWithBiasTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void four_terms() {
    const double score = value_at("rope_score_field", -7);
    QVERIFY(close(value_at("rope_with_bias", -7), 4 * score));
    const ParameterValues::Map set{{"q_bias", 2.0}, {"k_bias", -0.5}};
    QVERIFY(close(value_at("rope_with_bias", -7, set), 1.5 * score));
    auto random = set;
    random["content"] = std::string("random");
    QVERIFY(close(value_at("rope_with_bias", -7, random), -score));
  }

  void rotated_vectors() {
    // (q + a) rotated to position m times (k + b) rotated to position n, half of it as everywhere
    // here.
    const auto score = value_at("rope_with_bias", -5, {{"head_dim", Index{4}}, {"q_bias", 2.0}, {"k_bias", 3.0}});
    double product = 0;
    for (const double inv_freq : {1.0, 0.01}) {
      const auto rotated = [&](double value, double position) {
        const double c = std::cos(position * inv_freq);
        const double s = std::sin(position * inv_freq);
        return std::pair{value * c - value * s, value * s + value * c};
      };
      const auto q = rotated(3, 12);
      const auto k = rotated(4, 7);
      product += q.first * k.first + q.second * k.second;
    }
    QVERIFY(close(score, product / 2));
  }

  void summaries_and_reads() { COMPARE_TEXT(method_is_wrong("rope_with_bias", {{"head_dim", Index{16}}}), ""); }

  void reports() {
    const ParameterValues::Map two{{"head_dim", Index{2}}, {"q_bias", 2.0}};
    COMPARE_TEXT(why_at("rope_with_bias", 0, two), "k is q: q·k/2 1 + a·k/2 2 + q·b/2 1 + a·b/2 2");
    COMPARE_TEXT(why_at("rope_with_bias", 0, {{"head_dim", Index{2}}, {"content", std::string("random")}}),
                 "k is q: a·b/2 1; the other terms average 0");
  }
};

VQSCOPE_TEST(RopeWithBiasTest)
#include "rope_with_bias_test.moc"
