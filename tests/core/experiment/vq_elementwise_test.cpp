// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/setting/vq_experiment.h"
#include "tests/core/experiment/vq_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr Index elements = 45, element_block = 10, element_codes = 8;

/// 45 tokens, 8 codewords, blocks of 10.
ParameterValues::Map element_values(const ParameterValues::Map& set = {}) {
  ParameterValues::Map values = small_values({{"q_length", elements},
                                              {"n_code", element_codes},
                                              {"block_len", element_block},
                                              {"d_v", Index{6}},
                                              {"form", std::string("elementwise")}});
  for (const auto& [name, value] : set) values.insert_or_assign(name, value);
  return values;
}

Result<std::shared_ptr<const Field>> element_field(const char* id, const ParameterValues::Map& set = {}) {
  const Method& method = *find_method(experiment_methods(), id);
  auto values = element_values(set);
  std::erase_if(values, [&](const auto& named) { return !find_spec(method.parameters, named.first); });
  return make_field(method, curve_values(id, values));
}

double phi_of(const std::string& function, double score) {
  return function == "exponential" ? std::exp(score) : std::pow(std::max(score, 0.0), 2);
}

/// ALiBi of head 0 of 8, with distances above a block clipped.
double alibi_of(Index distance) { return -0.5 * static_cast<double>(std::min(distance, element_block)); }

}  // namespace

class VqElementwiseTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// W V by the definition, row by row, is φ(Q Cᵀ + B) U(n − 2) and the keys of two blocks.
  void theorem_3_6() {
    for (const char* function : {"exponential", "squared_relu"})
      for (const bool biased : {false, true}) {
        ParameterValues::Map set{{"function", std::string(function)}};
        if (biased) set.insert({{"bias", std::string("alibi")}, {"clipped", true}});
        const auto weights = *element_field("vq_weights", set);
        const auto scores = *element_field("vq_query_codes", set);
        const auto experiment = *run_vq(*vq_setting(curve_values("vq_code_values", element_values(set))));
        for (Index row = 0; row < elements; ++row) {
          const Index near = std::max<Index>(row / element_block - 1, 0) * element_block;
          std::vector<double> wanted(6), got(6);
          if (near > 0) {
            const auto sums = *element_field("vq_code_values", [&] {
              auto with = set;
              with["filled"] = near / element_block;
              return with;
            }());
            for (Index s = 0; s < element_codes; ++s)
              for (Index d = 0; d < 6; ++d)
                wanted[static_cast<std::size_t>(d)] +=
                    phi_of(function, scores->at(row, s) + (biased ? alibi_of(element_block) : 0)) * sums->at(s, d);
          }
          for (Index j = 0; j <= row; ++j)
            for (Index d = 0; d < 6; ++d) {
              const auto at = static_cast<std::size_t>(d);
              const auto value = static_cast<double>(experiment.data.values[static_cast<std::size_t>(j * 6 + d)]);
              const Index code = experiment.quantised.codes[static_cast<std::size_t>(j)];
              got[at] += weights->at(row, j) * value;
              if (j >= near)
                wanted[at] += phi_of(function, scores->at(row, code) + (biased ? alibi_of(row - j) : 0)) * value;
            }
          for (std::size_t d = 0; d < 6; ++d)
            QVERIFY2(std::abs(got[d] - wanted[d]) <= 1e-12 * std::max(1.0, std::abs(wanted[d])), function);
        }
      }
  }

  /// φ(Q K̂ᵀ) V = φ(Q Cᵀ) Δ V over all keys.
  void theorem_3_4() {
    const ParameterValues::Map set{{"form", std::string("elementwise_all")}, {"filled", Index{5}}};
    const auto weights = *element_field("vq_weights", set), scores = *element_field("vq_query_codes", set),
               sums = *element_field("vq_code_values", set);
    const auto experiment = *run_vq(*vq_setting(curve_values("vq_code_values", element_values())));
    for (Index row = 0; row < elements; ++row)
      for (Index d = 0; d < 6; ++d) {
        double wanted = 0, got = 0;
        for (Index s = 0; s < element_codes; ++s) wanted += std::exp(scores->at(row, s)) * sums->at(s, d);
        for (Index j = 0; j < elements; ++j)
          got += weights->at(row, j) * static_cast<double>(experiment.data.values[static_cast<std::size_t>(j * 6 + d)]);
        QVERIFY(std::abs(got - wanted) <= 1e-12 * std::max(1.0, std::abs(wanted)));
      }
  }

  void keys_and_the_difference() {
    const auto exact = *element_field("vq_weights", {{"weights", std::string("exact")}});
    const auto quantised = *element_field("vq_weights"), difference = *element_field("vq_weight_error");
    const auto experiment = *run_vq(*vq_setting(curve_values("vq_code_values", element_values())));
    double product = 0;
    for (std::size_t c = 0; c < 8; ++c)
      product += static_cast<double>(experiment.data.queries[7 * 8 + c]) *
                 static_cast<double>(experiment.data.keys[3 * 8 + c]);
    QVERIFY(std::abs(exact->at(7, 3) - std::exp(product)) < 1e-12 * std::exp(product));
    QCOMPARE(difference->at(40, 3), quantised->at(40, 3) - exact->at(40, 3));
    QCOMPARE(quantised->at(3, 7), 0.0);
    COMPARE_TEXT(quantised->report(3, 7).why, "the key comes after the query: causal attention does not see it");
  }

  void refusals() {
    COMPARE_ERROR(
        element_field("vq_weights",
                      {{"form", std::string("elementwise_all")}, {"bias", std::string("alibi")}, {"clipped", true}}),
        "form=elementwise_all takes no bias and no mask: theorem 3.4 has none; form=elementwise does");
    COMPARE_ERROR(element_field("vq_weights", {{"sinks", std::vector<double>{1}}}),
                  "form=elementwise takes no sinks: they are terms of the softmax");
  }
};

VQSCOPE_TEST(VqElementwiseTest)
#include "vq_elementwise_test.moc"
