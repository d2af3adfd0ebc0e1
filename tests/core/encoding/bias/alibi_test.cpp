// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/bias/bias_values.h"

#include "tests/core/encoding/bias_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class AlibiTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    // Two heads: slopes 1/16 and 1/256.
    QCOMPARE(value_at("alibi", -3, {{"num_heads", Index{2}}}), -3.0 / 16);
    QCOMPARE(value_at("alibi", 0, {{"num_heads", Index{2}}}), 0.0);
    QCOMPARE(value_at("alibi", -3, {{"num_heads", Index{2}}, {"head", Index{1}}}), -3.0 / 256);
    // Keys ahead: the line goes on, as in the code.
    QCOMPARE(value_at("alibi", 2, {{"num_heads", Index{2}}}), 2.0 / 16);
    const auto field = relative_field("alibi", {{"q_length", Index{2}}, {"past_len", Index{5}}});
    QCOMPARE(field->extent(), (Extent{2, 7}));
    QCOMPARE(field->at(0, 0), -2.5);
  }

  void bidirectional() {
    const ParameterValues::Map both{{"bidirectional", true}};
    QCOMPARE(value_at("alibi", -4, both), -2.0);
    QCOMPARE(value_at("alibi", 4, both), -2.0);
    // DeepMind: -|k - q| + 0.5 below the diagonal, times the slope.
    const ParameterValues::Map half{{"bidirectional", true}, {"left_offset", std::string("half")}};
    QCOMPARE(value_at("alibi", -4, half), -1.75);
    QCOMPARE(value_at("alibi", -1, half), -0.25);
    QCOMPARE(value_at("alibi", 0, half), 0.0);
    QCOMPARE(value_at("alibi", 1, half), -0.5);
  }

  void slopes_of_the_formulas() {
    QCOMPARE(alibi_slopes(6, AlibiSlopes::authors), (std::vector<double>{.25, .0625, .015625, .00390625, .5, .125}));
    const auto twelve = alibi_slopes(12, AlibiSlopes::authors);
    for (const auto& [head, slope] : {std::pair{8, .7071068}, {9, .3535534}, {10, .1767767}, {11, .0883883}})
      QVERIFY(close(twelve[static_cast<std::size_t>(head)], slope, 1e-6));
    const auto forty = alibi_slopes(40, AlibiSlopes::authors);
    QVERIFY(close(forty[0], .840896, 1e-6) && close(forty[32], .917004, 1e-6) && close(forty[33], .771105, 1e-6));
    QVERIFY(close(alibi_slopes(12, AlibiSlopes::plain)[0], .62996, 1e-5));
    QCOMPARE(alibi_slopes(16, AlibiSlopes::plain), alibi_slopes(16, AlibiSlopes::authors));
    QCOMPARE(alibi_slopes(1, AlibiSlopes::authors), (std::vector<double>{1.0 / 256}));
  }

  void golden_file() {
    const auto golden = golden_biases("alibi_slopes").toObject();
    QVERIFY(golden.size() >= 7);
    for (const auto& heads : golden.keys()) {
      const auto wanted = numbers_of(golden[heads]);
      const auto slopes = alibi_slopes(heads.toLongLong(), AlibiSlopes::authors);
      QCOMPARE(slopes.size(), wanted.size());
      for (std::size_t h = 0; h < slopes.size(); ++h) {
        QVERIFY(close(slopes[h], wanted[h]));
        const double bias =
            value_at("alibi", -1000, {{"num_heads", Index{heads.toLongLong()}}, {"head", static_cast<Index>(h)}});
        QVERIFY(close(bias, -1000 * wanted[h]));
      }
    }
  }

  void summaries_and_reads() {
    COMPARE_TEXT(method_is_wrong("alibi"), "");
    COMPARE_TEXT(method_is_wrong("alibi", {{"bidirectional", true}, {"left_offset", std::string("half")}}), "");
  }

  void reports_and_errors() {
    COMPARE_TEXT(why_at("alibi", -3), "k is 3 behind q: −slope 0.5 · 3");
    COMPARE_TEXT(why_at("alibi", 0), "k is q: 0");
    COMPARE_TEXT(why_at("alibi", 2),
                 "k is 2 ahead of q: the line goes on upwards, slope 0.5 · 2, and a causal mask hides it");
    COMPARE_TEXT(why_at("alibi", -2, {{"bidirectional", true}, {"left_offset", std::string("half")}}),
                 "k is 2 behind q: −slope 0.5 · 2, and half a slope to tell left from right");
    COMPARE_ERROR(relative_result("alibi", {{"head", Index{8}}}), "head is 8 but must be below num_heads = 8");
    COMPARE_ERROR(relative_result("alibi", {{"num_heads", Index{0}}}),
                  "num_heads is 0 but must be an integer from 1 to 1024");
  }
};

VQSCOPE_TEST(AlibiTest)
#include "alibi_test.moc"
