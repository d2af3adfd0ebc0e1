// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/bias/bias_values.h"

#include "tests/core/encoding/bias_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class KerpleTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    QCOMPARE(value_at("kerple_log", -3), -std::log(4.0));
    QCOMPARE(value_at("kerple_power", -3, {{"r1", 2.0}, {"r2", 2.0}}), -18.0);
    for (const char* id : {"kerple_log", "kerple_power"}) {
      QCOMPARE(value_at(id, 0), 0.0);
      QCOMPARE(value_at(id, 5), 0.0);
    }
  }

  void golden_file() {
    const auto distances = golden_distances();
    int compared = 0;
    for (const char* id : {"kerple_log", "kerple_power"})
      for (const auto& entry : golden_biases(id).toArray()) {
        const auto wanted = numbers_of(entry.toObject()["bias"]);
        const ParameterValues::Map set{{"r1", entry.toObject()["r1"].toDouble()},
                                       {"r2", entry.toObject()["r2"].toDouble()}};
        for (std::size_t i = 0; i < distances.size(); ++i, ++compared)
          QVERIFY(close(value_at(id, -static_cast<Index>(distances[i]), set), wanted[i]));
      }
    QVERIFY(compared >= 56);
  }

  void summaries_and_reads() {
    COMPARE_TEXT(method_is_wrong("kerple_log", {{"r1", 3.0}, {"r2", 0.02}}), "");
    COMPARE_TEXT(method_is_wrong("kerple_power", {{"r2", 0.3}}), "");
    COMPARE_TEXT(method_is_wrong("kerple_power", {{"r2", 2.0}}), "");
  }

  void means_of_large_tiles() {
    // Long enough for quadrature.
    for (const char* id : {"kerple_log", "kerple_power"}) {
      const auto field = relative_field(id, {{"q_length", Index{1400}}, {"r2", 0.5}});
      COMPARE_TEXT(relative_summary_differs(*field, {{700, 1000, 1007, 1400}, {0, 200, 277, 1300}}), "");
    }
  }

  void numbers_of_each_head() {
    const ParameterValues::Map set{{"num_heads", Index{3}},
                                   {"head", Index{2}},
                                   {"r1_by_head", std::vector<double>{1, 2, 3}},
                                   {"r2_by_head", std::vector<double>{1, 1, 2}}};
    QVERIFY(close(value_at("kerple_log", -4, set), -3 * std::log(9.0)));
    QCOMPARE(value_at("kerple_power", -4, set), -48.0);
    COMPARE_ERROR(relative_result("kerple_log", {{"r1_by_head", std::vector<double>{1, 2, 3}}}),
                  "r1_by_head has 3 numbers but must have num_heads = 8, or none");
    auto steep = set;
    steep["r2_by_head"] = std::vector<double>{1, 1, 3};
    COMPARE_ERROR(relative_result("kerple_power", steep),
                  "r2_by_head is 3 but must be at most 2 as the exponent of kerple_power");
    QVERIFY(relative_result("kerple_log", steep));
  }

  void the_scale_of_the_paper() {
    const ParameterValues::Map inside{{"kerple_scale", std::string("inside")}, {"kerple_head_dim", Index{16}}};
    QVERIFY(close(value_at("kerple_log", -3, inside), -std::log(4.0) / 4));
    COMPARE_TEXT(why_at("kerple_log", -3, inside), "k is 3 behind q: −1 · ln(1 + 1 · 3), over √16");
  }

  void reports_and_errors() {
    COMPARE_TEXT(why_at("kerple_log", -3), "k is 3 behind q: −1 · ln(1 + 1 · 3)");
    COMPARE_TEXT(why_at("kerple_power", -3), "k is 3 behind q: −1 · 3^1");
    COMPARE_TEXT(why_at("kerple_power", 1), "k is 1 ahead of q, which the code takes for distance 0: 0");
    COMPARE_ERROR(relative_result("kerple_power", {{"r2", 2.5}}),
                  "r2 is 2.5 but must be at most 2 as the exponent of kerple_power");
    COMPARE_ERROR(relative_result("kerple_log", {{"r1", 0.0}}), "r1 is 0 but must be a number from 0.01 to 100");
  }
};

VQSCOPE_TEST(KerpleTest)
#include "kerple_test.moc"
