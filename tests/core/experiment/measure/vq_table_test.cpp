// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/measure/throughput_tables.h"

#include "core/experiment/measure/head_throughput.h"
#include "tests/core/experiment/vq_cases.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

using Names = std::vector<std::string>;

const Names every_type{"shga", "mqa", "mha"};
const Names every_reduction{"serial_scan", "matmul", "associative_scan", "input_scan"};

ParameterValues::Map table_values(const ParameterValues::Map& set = {}) {
  ParameterValues::Map values{{"length_max", Index{200}},
                              {"d_k", Index{8}},
                              {"d_v", Index{16}},
                              {"n_code", Index{16}},
                              {"block_len", Index{32}}};
  for (const auto& [name, value] : set) values.insert_or_assign(name, value);
  return values;
}

/// Names of the lines, without the edges of their bands.
Names names_of(const CurveSet& set) {
  Names names;
  for (std::size_t i = 0; i < set.bands.size(); ++i) names.push_back(set.curves[i].name);
  return names;
}

const Published::Series* series_of(const Published& published, const std::string& name) {
  for (const auto& series : published.series)
    if (series.name == name) return &series;
  return nullptr;
}

}  // namespace

class VqTableTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void lengths_are_those_of_the_paper() {
    QCOMPARE(table_lengths(8192), (std::vector<double>{2048, 8192}));
    QCOMPARE(table_lengths(131072), (std::vector<double>{2048, 8192, 32768, 131072}));
    QCOMPARE(table_lengths(10000), (std::vector<double>{2048, 8192, 10000}));
    QCOMPARE(table_lengths(5), (std::vector<double>{5}));
  }

  /// Outputs of all heads together are equally wide, and attention() takes them for what they are.
  void head_types_are_as_wide() {
    for (const HeadType type : {HeadType::shga, HeadType::mqa, HeadType::mha}) {
      const HeadShape shape = head_shape(type, 4, 8, 16);
      QCOMPARE(shape.heads * shape.d_v, Index{16});
      const HeadTokens tokens(shape, 40, 6, 1);
      const AttentionInput input = tokens.input();
      const auto held = input.q.values.size() + input.k.values.size() + input.v.values.size() +
                        input.gate.values.size() + input.codebook.values.size();
      QCOMPARE(head_tokens_bytes(shape, 40, 6), 4.0 * static_cast<double>(held));
      const auto output = attention(input, {.head_type = type, .block_len = 16});
      QVERIFY2(output.has_value(), output ? "" : output.error().message.c_str());
      QCOMPARE(output->values.size(), std::size_t{40 * 16});
    }
  }

  /// The requested number of tokens, though only the first are sampled.
  void tokens_repeat() {
    const HeadTokens tokens(head_shape(HeadType::mqa, 2, 3, 4), 5000, 6, 1);
    const AttentionInput input = tokens.input();
    QCOMPARE(input.q.values.size(), std::size_t{2 * 5000 * 3});
    for (const Index i : {0, 1, 903}) {
      QCOMPARE(*input.k.row(0, i + 2048), *input.k.row(0, i));
      QCOMPARE(*input.v.row(0, i + 4096), *input.v.row(0, i));
    }
    QVERIFY(*input.k.row(0, 1) != *input.k.row(0, 0) && *input.k.row(0, 0) != *input.q.row(0, 0));
  }

  void speed_ups() {
    const auto set = *curves_of("vq_table", table_values({{"reductions", every_reduction}}));
    COMPARE_TEXT(incomplete(set), "");
    QCOMPARE(set.x, (std::vector<double>{200}));
    QCOMPARE(set.bands.size(), std::size_t{12});
    QCOMPARE(set.curves[0].name, std::string("shga_serial_scan"));
    QCOMPARE(set.curves[7].name, std::string("mqa_input_scan"));
    for (std::size_t i = 0; i < 12; ++i) {
      const Curve& curve = set.curves[i];
      QVERIFY2(curve.y[0] > 0 && std::isfinite(curve.y[0]), curve.name.c_str());
      QCOMPARE(fact_of(set, "speed_up_" + curve.name), curve.y[0]);
    }
    QVERIFY(set.formula.find("kernels ") != std::string::npos);
    QCOMPARE(set.published->series.size(), std::size_t{12});
    QCOMPARE(set.published->y_title, set.y_title);  // on one axis
  }

  void tokens_per_second() {
    const auto set = *curves_of("vq_table", table_values({{"quantity", std::string("tokens_per_second")},
                                                          {"head_types", Names{"mha", "shga"}},
                                                          {"threads", Index{2}}}));
    COMPARE_TEXT(incomplete(set), "");
    QCOMPARE(names_of(set), (Names{"full_mha", "vq_mha_serial_scan", "full_shga", "vq_shga_serial_scan"}));
    for (const auto& curve : set.curves) QVERIFY(curve.y[0] > 0);
    QCOMPARE(fact_of(set, "threads"), 2.0);
  }

  void rows_are_reported_when_measured() {
    COMPARE_TEXT(wrong_parts(reported_sets("vq_table", table_values({{"length_max", Index{2100}}})), 6), "");
    double last = 0;
    bool ascends = true;
    const Work work{[&](double fraction) {
                      ascends &= fraction >= last;
                      last = fraction;
                    },
                    {}};
    QVERIFY(
        make_curves(*find_method(experiment_methods(), "vq_table"), curve_values("vq_table", table_values()), work));
    QVERIFY(ascends);
    QCOMPARE(last, 1.0);
  }

  /// The first length is measured whatever it takes: nothing can be expected before.
  void lengths_above_the_time_limit_are_skipped() {
    int called = 0;
    const auto call = [&] { ++called; };
    RisingTimes unlimited(2, std::numeric_limits<double>::infinity(), 2);
    for (const Index length : {1, 1000}) QVERIFY(std::isfinite(unlimited.at(length, {}, call).median));
    QVERIFY(called > 0);
    RisingTimes limited(2, -1, 1);
    QVERIFY(std::isfinite(limited.at(1, {}, call).median));
    called = 0;
    QVERIFY(std::isnan(limited.at(2, {}, call).median));
    QCOMPARE(called, 0);
  }

  void lengths_above_the_memory_limit_are_skipped() {
    ThroughputSetting setting{.n_code = 4, .reductions = {CacheReduction::serial_scan}};
    setting.options.memory_limit = 1;
    HeadThroughput row(head_shape(HeadType::mha, 2, 8, 8), setting);
    const auto seconds = row.at(64, {}).value();
    QCOMPARE(seconds.size(), std::size_t{2});
    for (const Spread& each : seconds) QVERIFY(std::isnan(each.median) && std::isnan(each.greatest));
  }

  /// A digit of the speed-up copied wrongly would not go with the tokens a second, which the paper
  /// has cut to three digits.
  void published_speed_ups_go_with_the_rates() {
    for (const auto& type : every_type)
      for (const auto& reduction : every_reduction) {
        const auto ratios = published_throughput(true, {type}, {reduction});
        const auto rates = published_throughput(false, {type}, {reduction});
        QCOMPARE(ratios.series.size(), std::size_t{1});
        QCOMPARE(rates.series.size(), std::size_t{2});
        const auto& ratio = ratios.series[0];
        QVERIFY(ratio.x.size() >= 2 && ratio.x.size() == rates.series[0].x.size());
        for (std::size_t i = 0; i < ratio.x.size(); ++i) {
          QCOMPARE(rates.series[0].x[i], ratio.x[i]);
          QCOMPARE(rates.series[1].x[i], ratio.x[i]);
          QVERIFY2(near(rates.series[1].y[i] / rates.series[0].y[i] / ratio.y[i], 1, 0.01), ratio.name.c_str());
        }
      }
  }

  void published_values_by_hand() {
    const auto rates = published_throughput(false, every_type, every_reduction);
    QCOMPARE(rates.series.size(), std::size_t{12 + 6});
    const auto* matmul = series_of(rates, "published VQ shga, matmul");
    QVERIFY(matmul != nullptr);
    QCOMPARE(matmul->x, (std::vector<double>{2048, 8192, 32768, 131072}));
    QCOMPARE(matmul->y, (std::vector<double>{62500, 75200, 80000, 69500}));
    QCOMPARE(series_of(rates, "published full mqa, input_scan")->y, (std::vector<double>{36200, 14500}));
    const auto ratios = published_throughput(true, {"shga"}, {"serial_scan"});
    QCOMPARE(ratios.series[0].y, (std::vector<double>{0.962, 3.230, 12.631}));
    QVERIFY(ratios.source.find("TPU v3") != std::string::npos);
  }

  void bad_input() {
    COMPARE_ERROR(curves_of("vq_table", {{"num_heads", Index{3}}}),
                  "d_v is 512 but must be a multiple of num_heads = 3");
    COMPARE_ERROR(curves_of("vq_table", {{"length_max", Index{131072}}, {"num_heads", Index{64}}}),
                  "length_max 131072 needs 4.07 GiB for queries, keys and values of mqa but must be at most 1 GiB");
  }
};

VQSCOPE_TEST(VqTableTest)
#include "vq_table_test.moc"
