// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/encoding/bias_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class SandwichTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    // One pair: cos of the distance itself. The ratio of head 1 of 4 is 4.
    const ParameterValues::Map set{{"sandwich_dim", Index{2}}, {"num_heads", Index{4}}, {"head", Index{1}}};
    QVERIFY(close(value_at("sandwich", -2, set), std::cos(2.0) / 4));
    QVERIFY(close(value_at("sandwich", 2, set), std::cos(2.0) / 4));
    // The diagonal is half the dimensions over the ratio.
    QCOMPARE(value_at("sandwich", 0), 64.0);
    QCOMPARE(value_at("sandwich", 0, {{"head", Index{7}}}), 8.0);
  }

  void golden_file() {
    const auto distances = golden_distances();
    const auto entry = golden_biases("sandwich").toArray()[0].toObject();
    const auto wanted = numbers_of(entry["score"]);
    QCOMPARE(wanted.size(), distances.size());
    for (std::size_t i = 0; i < distances.size(); ++i) {
      const auto distance = static_cast<Index>(distances[i]);
      QVERIFY(close(value_at("sandwich", -distance), wanted[i]));
      QVERIFY(close(value_at("sandwich", -distance, {{"head", Index{2}}}), wanted[i] / 3));
    }
  }

  void summaries_and_reads() { COMPARE_TEXT(method_is_wrong("sandwich", {{"sandwich_dim", Index{16}}}), ""); }

  void reports_and_errors() {
    COMPARE_TEXT(why_at("sandwich", -3, {{"head", Index{1}}}),
                 "k is 3 behind q: 1/2 · Σ cos(3 · 10000^(−i/64)) over i below 64");
    COMPARE_ERROR(relative_result("sandwich", {{"sandwich_dim", Index{7}}}), "sandwich_dim is 7 but must be even");
    COMPARE_ERROR(relative_result("sandwich", {{"head", Index{9}}}), "head is 9 but must be below num_heads = 8");
  }
};

VQSCOPE_TEST(SandwichTest)
#include "sandwich_test.moc"
