// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/experiment/vq_cases.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

Result<CurveSet> invariance(const ParameterValues::Map& set) {
  auto values = small_values({{"q_length", Index{200}}, {"n_code", Index{16}}});
  for (const auto& [name, value] : set) values.insert_or_assign(name, value);
  return curves_of("vq_block_invariance", values);
}

}  // namespace

class VqBlockInvarianceTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void without_a_bias_blocks_do_not_matter() {
    const auto set = *invariance(
        {{"reductions", std::vector<std::string>{"serial_scan", "matmul", "associative_scan", "input_scan"}}});
    COMPARE_TEXT(incomplete(set), "");
    QCOMPARE(set.x, (std::vector<double>{8, 16, 32, 64, 128, 200}));
    QCOMPARE(set.curves.size(), std::size_t{4});
    for (const auto& curve : set.curves)
      for (const double y : curve.y) QVERIFY(y < 2e-6);
    QVERIFY(set.marks.empty());
  }

  /// Theorem 3.6: element-wise weights instead of softmax.
  void element_wise_weights() {
    for (const char* weights : {"exponential", "squared_relu"}) {
      const auto set = *invariance({{"weights", std::string(weights)}});
      for (const double y : set.curves.front().y) QVERIFY2(y < 4e-6, weights);
    }
  }

  /// T5 with max_distance 64 is one value from its last bucket on, within 64: blocks of 64 are
  /// exact, of 32 are not.
  void a_bias_is_exact_from_its_last_bucket_on() {
    const auto set =
        *invariance({{"bias", std::string("t5_bias")}, {"max_distance", Index{64}}, {"bidirectional", false}});
    const auto& y = set.curves.front().y;
    QVERIFY(y[1] > 1e-4 && y[2] > 1e-5 && y[3] < 2e-6 && y[4] < 2e-6);
    QCOMPARE(set.marks.size(), std::size_t{1});
    QCOMPARE(set.marks.front().x, 64.0);
  }

  void bad_values() {
    COMPARE_ERROR(invariance({{"reductions", std::vector<std::string>{}}}),
                  "reductions is empty but must name one at least");
    COMPARE_ERROR(invariance({{"q_length", Index{9000}}}),
                  "q_length is 9000 but must be at most 8192 for the quadratic form of every block_len");
  }
};

VQSCOPE_TEST(VqBlockInvarianceTest)
#include "vq_block_invariance_test.moc"
