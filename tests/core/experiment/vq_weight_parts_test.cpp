// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/setting/vq_experiment.h"
#include "tests/core/experiment/vq_cases.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// 45 tokens, 8 codewords, blocks of 10.
ParameterValues::Map parts(const ParameterValues::Map& set = {}) {
  ParameterValues::Map values =
      small_values({{"q_length", Index{45}}, {"n_code", Index{8}}, {"block_len", Index{10}}, {"d_v", Index{6}}});
  for (const auto& [name, value] : set) values.insert_or_assign(name, value);
  return values;
}

std::shared_ptr<const Field> field_of(const char* id, const ParameterValues::Map& set = {}) {
  const Method& method = *find_method(experiment_methods(), id);
  return *make_field(method, carried_values(method, curve_values("vq_code_values", parts(set))));
}

}  // namespace

class VqWeightPartsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// A codeword has the weight of all its cached keys, others their own: together 1, and the weights
  /// of the quadratic form.
  void parts_are_the_weights_data() {
    QTest::addColumn<QString>("bias");
    QTest::addColumn<QString>("order");
    QTest::newRow("no bias") << "none"
                             << "none";
    QTest::newRow("clipped bias") << "alibi"
                                  << "none";
    QTest::newRow("rotated keys") << "none"
                                  << "rotate_first";
    QTest::newRow("clipped rotation") << "none"
                                      << "quantise_first_clipped";
  }
  void parts_are_the_weights() {
    QFETCH(QString, bias);
    QFETCH(QString, order);
    ParameterValues::Map set{{"bias", bias.toStdString()}, {"clipped", bias != "none"}};
    if (order != "none") set.insert({{"rope_type", std::string("default")}, {"rotation_order", order.toStdString()}});
    const auto apart = field_of("vq_weight_parts", set), whole = field_of("vq_weights", set);
    QCOMPARE(apart->extent(), (Extent{45, 28}));
    const Method& method = *find_method(experiment_methods(), "vq_weights");
    const auto experiment = *run_vq(*vq_setting(carried_values(method, curve_values("vq_code_values", parts(set)))));
    std::vector<double> cells(45 * 28);
    apart->read({{0, 45}, {0, 28}}, std::span(cells));
    for (Index q = 0; q < 45; ++q) {
      std::vector<double> wanted(28);
      const Index previous = (q / 10 - 1) * 10;
      for (Index k = 0; k <= q; ++k) {
        const Index code = experiment.quantised.codes[static_cast<std::size_t>(k)];
        wanted[static_cast<std::size_t>(k < previous ? code : 8 + k - previous)] += whole->at(q, k);
      }
      for (Index col = 0; col < 28; ++col) {
        const double weight = wanted[static_cast<std::size_t>(col)];
        QVERIFY(near(cells[static_cast<std::size_t>(q * 28 + col)], weight, 1e-6));
        QVERIFY(near(apart->at(q, col), weight, 1e-6));
      }
    }
    QCOMPARE(apart->marks().size(), std::size_t{2});
    COMPARE_TEXT(apart->marks()[0].label, "cache");
    QCOMPARE(apart->marks()[1].at, 18.0);
    COMPARE_TEXT(apart->marks()[1].label, "previous block");
  }

  /// A product of the queries with the codewords, and sums of the values of each code.
  void factors() {
    const auto experiment = *run_vq(*vq_setting(curve_values("vq_code_values", parts())));
    const auto scores = field_of("vq_query_codes");
    QCOMPARE(scores->extent(), (Extent{45, 8}));
    double product = 0;
    for (std::size_t c = 0; c < 8; ++c)
      product += static_cast<double>(experiment.data.queries[7 * 8 + c]) *
                 static_cast<double>(experiment.codewords[3 * 8 + c]);
    QVERIFY(near(scores->at(7, 3), product, 1e-9));
    for (const Index filled : {2, 5}) {
      const auto sums = field_of("vq_code_values", {{"filled", filled}});
      const auto means = field_of("vq_code_values", {{"filled", filled}, {"summed", std::string("mean")}});
      QCOMPARE(sums->extent(), (Extent{8, 6}));
      for (Index code = 0; code < 8; ++code) {
        double sum = 0, keys = 0;
        for (std::size_t j = 0; j < static_cast<std::size_t>(std::min<Index>(10 * filled, 45)); ++j)
          if (experiment.quantised.codes[j] == code)
            sum += static_cast<double>(experiment.data.values[j * 6 + 2]), ++keys;
        QVERIFY(near(sums->at(code, 2), sum, 1e-9));
        QVERIFY(near(means->at(code, 2), keys > 0 ? sum / keys : 0, 1e-9));
      }
    }
  }

  void cells_explain_themselves() {
    const auto apart = field_of("vq_weight_parts");
    COMPARE_TEXT(apart->report(3, 9).why, "there is no previous block");
    COMPARE_TEXT(apart->report(3, 25).why, "the key comes after the query: causal attention does not see it");
    COMPARE_TEXT(apart->report(3, 2).why, "no key of the cache has codeword 2");
    QVERIFY(apart->report(44, 8).why.starts_with("key 30 is scored by itself, through codeword "));
  }

  void a_form_that_is_not_linear_is_refused() {
    const Method& method = *find_method(experiment_methods(), "vq_weight_parts");
    const auto refused = make_field(
        method, carried_values(method, curve_values("vq_code_values", parts({{"bias", std::string("alibi")}}))));
    QVERIFY(!refused && refused.error().message.starts_with("form is linear, but the bias is not constant beyond"));
  }
};

VQSCOPE_TEST(VqWeightPartsTest)
#include "vq_weight_parts_test.moc"
