// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/measure/vq_throughput.h"

#include "tests/core/experiment/vq_cases.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class VqThroughputTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// T = 5 in blocks of 2: own blocks have 3 + 3 + 1 weights, 3 tokens see a cache of 4 codes.
  void operations_by_hand() {
    VqSetting setting;
    setting.q_length = 5;
    setting.block_len = 2;
    setting.n_code = 4;
    setting.d_k = 3;
    setting.d_v = 7;
    const double full = 2 * 15 * (3 + 7);
    const double nearest = 2 * 5 * 4 * 3;
    QCOMPARE(attention_flops(AttentionForm::exact, setting), full);
    QCOMPARE(attention_flops(AttentionForm::vq_quadratic, setting), full + nearest);
    QCOMPARE(attention_flops(AttentionForm::vq_linear, setting), 2 * nearest + 2 * 7 * 7 + 2 * 3 * 4 * 7 + 2 * 3 * 7);
    setting.block_len = 100;
    QCOMPARE(attention_flops(AttentionForm::vq_linear, setting), 2 * nearest + 2 * 15 * 7);
  }

  void crossover_by_hand() {
    const std::vector<double> x{1, 2, 4, 8};
    const std::vector<double> squares{1, 4, 16, 64};
    const std::vector<double> lines{3, 6, 12, 24};
    QVERIFY(near(crossover(x, squares, lines), 3, 1e-12));
    QVERIFY(std::isnan(crossover(x, lines, squares)));
    QVERIFY(std::isnan(crossover(x, squares, std::vector<double>(4, 100.0))));
    QVERIFY(std::isnan(crossover(x, {{1, std::nan(""), 16, 64}}, lines)));
  }

  void counted_costs_cross_where_the_formulas_do() {
    const auto set = *curves_of("vq_throughput", {{"cost", std::string("flops")}, {"length_max", Index{65536}}});
    COMPARE_TEXT(incomplete(set), "");
    QCOMPARE(set.x.size(), std::size_t{11});
    VqSetting setting;
    for (std::size_t i = 0; i < set.x.size(); ++i) {
      setting.q_length = static_cast<Index>(set.x[i]);
      QCOMPARE(set.curves[2].y[i], attention_flops(AttentionForm::vq_linear, setting));
    }
    const double at = fact_of(set, "crossover");
    QVERIFY(at > 128 && at < 256);
    QVERIFY(fact_of(set, "full_over_linear") > 50);
  }

  /// Counted costs need no queries, keys and values, which would not fit here.
  void counts_need_no_data() {
    for (const char* cost : {"flops", "bytes"}) {
      const ParameterValues::Map wide{
          {"length_max", Index{131072}}, {"d_k", Index{128}}, {"d_v", Index{256}}, {"cost", std::string(cost)}};
      QCOMPARE(curves_of("vq_throughput", wide)->x.back(), 131072.0);
    }
    COMPARE_ERROR(
        curves_of("vq_throughput", {{"length_max", Index{131072}}, {"d_k", Index{128}}, {"d_v", Index{256}}}),
        "length_max 131072, train_keys 64, d_k 128 and d_v 256 need 320 MiB for queries, keys and values but must "
        "be at most 256 MiB");
  }

  void bytes_of_the_linear_form_are_the_output_and_little_more() {
    const auto set = *curves_of("vq_throughput", {{"cost", std::string("bytes")}, {"length_max", Index{32768}}});
    for (const auto& curve : set.curves) QVERIFY(std::is_sorted(curve.y.begin(), curve.y.end()));
    const auto linear = set.curves[2].y;
    const double a_token = (linear.back() - linear[linear.size() - 2]) / 16384;
    QVERIFY(near(a_token, 4 * 64 + 4, 1));
  }

  /// No number of it is compared: it is another one each time.
  void seconds_are_measured() {
    const auto set =
        *curves_of("vq_throughput", {{"length_max", Index{300}}, {"d_k", Index{8}}, {"threads", Index{2}}});
    COMPARE_TEXT(incomplete(set), "");
    QCOMPARE(set.x, (std::vector<double>{64, 128, 256, 300}));
    for (const auto& curve : set.curves)
      for (const double y : curve.y) QVERIFY(y > 0);
    QVERIFY(set.formula.find("kernels ") != std::string::npos && set.formula.find("2 threads") != std::string::npos);
    QCOMPARE(fact_of(set, "threads"), 2.0);
  }

  void seconds_are_reported_when_measured() {
    COMPARE_TEXT(wrong_parts(reported_sets("vq_throughput", {{"length_max", Index{256}}, {"d_k", Index{8}}}), 3), "");
    COMPARE_TEXT(wrong_parts(reported_sets("vq_decode", {{"length_max", Index{64}}, {"block_len", Index{16}}}), 3), "");
  }

  void one_more_token() {
    const auto seconds = *curves_of("vq_decode", {{"length_max", Index{150}}, {"block_len", Index{16}}});
    COMPARE_TEXT(incomplete(seconds), "");
    QCOMPARE(seconds.x, (std::vector<double>{16, 32, 64, 128, 150}));
    for (const auto& curve : seconds.curves)
      for (const double y : curve.y) QVERIFY(y > 0);
    const auto bytes = *curves_of("vq_decode", {{"kept", std::string("bytes")}});
    QCOMPARE(bytes.curves[0].y.back(), 4.0 * 4096 * 128);
    QCOMPARE(bytes.curves[1].y.back(), bytes.curves[1].y[3]);  // from block_len = 128 on
    QVERIFY(fact_of(bytes, "crossover") > 64);
  }

  void bytes_by_hand() {
    VqSetting setting;
    setting.q_length = 10;
    setting.block_len = 4;
    setting.n_code = 3;
    setting.d_k = 5;
    setting.d_v = 2;
    QCOMPARE(kv_cache_bytes(setting), 4.0 * 10 * 7);
    // 4 codes and values; counts in double, mean values and codewords.
    QCOMPARE(vq_cache_bytes(setting), 4.0 * (4 * 3) + 3 * (8 + 4 * 2 + 4 * 5));
  }
};

VQSCOPE_TEST(VqThroughputTest)
#include "vq_throughput_test.moc"
