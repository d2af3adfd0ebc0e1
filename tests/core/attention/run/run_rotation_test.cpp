// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/run/run_rotation.h"

#include "core/attention/run/attention_run.h"
#include "tests/core/attention/forms/attention_definition.h"
#include "tests/core/attention/forms/attention_sample.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr Index tokens = 50;

/// q [4, 50, 4], k [2, 50, 4], v [2, 50, 3], codebook [2, 5, 4].
VqAttentionTensors grouped_tensors() {
  const AttentionSample sample(
      {.length = tokens, .heads = 4, .kv_heads = 2, .codebooks = 2, .n_code = 5, .d_k = 4, .d_v = 3});
  VqAttentionTensors tensors;
  tensors.q = {{4, tokens, 4}, sample.q};
  tensors.k = {{2, tokens, 4}, sample.k};
  tensors.v = {{2, tokens, 3}, sample.v};
  tensors.codebook = {{2, 5, 4}, sample.codebook};
  return tensors;
}

using Changes = std::vector<std::pair<std::string, ParameterValue>>;

Result<VqAttentionRun> rotated_run(const VqAttentionTensors& tensors, const Changes& changes) {
  ParameterValues values = default_values(vq_attention_parameters());
  values.set("n_code", Index{5});
  values.set("rope_type", std::string("yarn"));
  for (const auto& [name, value] : changes) values.set(name, value);
  return VqAttentionRun::make(tensors, values);
}

const Rotation& yarn() {
  static const Rotation rotation({.rope_type = "yarn", .head_dim = 4, .factor = 4}, PairLayout::half_split);
  return rotation;
}

std::vector<double> row_numbers(const Tensor& tensor, Index head, Index row) {
  const auto first = tensor.values.begin() + (head * tensor.shape[1] + row) * tensor.shape[2];
  return {first, first + tensor.shape[2]};
}

/// The key, or the codeword nearest to it before the rotation.
std::vector<double> key_of(const VqAttentionTensors& tensors, Index head, Index key, bool quantised) {
  if (!quantised) return row_numbers(tensors.k, head, key);
  const TensorView codebook{tensors.codebook.values, 2, 5, 4};
  const Index code = nearest_codeword(tensors.k.values.data() + (head * tokens + key) * 4, codebook, head);
  return row_numbers(tensors.codebook, head, code);
}

/// Σ e^{m² (R_n q)·k + B} v, n the distance or at most `clip`, divided by the sum of the weights.
std::vector<double> defined(const VqAttentionTensors& tensors, bool quantised, Index clip, bool alibi,
                            const std::vector<float>& valid) {
  std::vector<double> output, q(4), k(4);
  for (Index head = 0; head < 4; ++head)
    for (Index query = 0; query < tokens; ++query) {
      double all = 0;
      std::vector<double> sums(3);
      for (Index key = 0; key <= query; ++key) {
        if (!valid.empty() && valid[static_cast<std::size_t>(key)] == 0) continue;
        const Index distance = std::min(query - key, clip);
        yarn().apply(row_numbers(tensors.q, head, query), distance, q);
        yarn().apply(key_of(tensors, head / 2, key, quantised), 0, k);
        const double slope = alibi ? std::exp2(-2 * static_cast<double>(head + 1)) : 0;
        const double weight = std::exp(dot(q, k) - slope * static_cast<double>(distance));
        const auto value = row_numbers(tensors.v, head / 2, key);
        for (std::size_t c = 0; c < 3; ++c) sums[c] += weight * value[c];
        all += weight;
      }
      for (const double sum : sums) output.push_back(all > 0 ? sum / all : 0);
    }
  return output;
}

const ParameterValue after = std::string("quantise_first"), clipped = std::string("quantise_first_clipped");

}  // namespace

class RunRotationTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void every_form_is_the_definition() {
    VqAttentionTensors tensors = grouped_tensors();
    std::vector<float> holes(tokens, 1);
    holes[0] = holes[20] = holes[21] = 0;
    for (const bool has_holes : {false, true}) {
      if (has_holes) tensors.key_valid = {{tokens}, holes};
      const auto& valid = tensors.key_valid.values;
      for (const Index block_len : {7, 16, 64}) {
        const ParameterValue block = block_len;
        const auto output = [&](const ParameterValue& order, const char* form) {
          return rotated_run(tensors, {{"rotation_order", order}, {"form", std::string(form)}, {"block_len", block}})
              ->attend()
              ->values;
        };
        const auto keys = defined(tensors, false, tokens, false, valid),
                   codes = defined(tensors, true, tokens, false, valid);
        COMPARE_TEXT(farther(output(after, "exact"), keys, 3e-6, tensors.v.values), "");
        COMPARE_TEXT(farther(output(after, "quadratic"), codes, 3e-6, tensors.v.values), "");
        const auto near = defined(tensors, true, block_len, false, valid);
        COMPARE_TEXT(
            farther(output(clipped, "exact"), defined(tensors, false, block_len, false, valid), 3e-6, tensors.v.values),
            "");
        COMPARE_TEXT(farther(output(clipped, "quadratic"), near, 3e-6, tensors.v.values), "");
        COMPARE_TEXT(farther(output(clipped, "linear"), near, 3e-6, tensors.v.values), "");
      }
    }
  }

  void reductions_and_a_bias() {
    const VqAttentionTensors tensors = grouped_tensors();
    for (const char* reduction : {"serial_scan", "matmul", "associative_scan", "input_scan"}) {
      const auto run = rotated_run(tensors, {{"rotation_order", clipped},
                                             {"block_len", Index{8}},
                                             {"reduction", std::string(reduction)},
                                             {"bias", std::string("alibi")},
                                             {"clipped", true}});
      QVERIFY2(run, run ? "" : run.error().message.c_str());
      COMPARE_TEXT(farther(run->attend()->values, defined(tensors, true, 8, true, {}), 3e-6, tensors.v.values), "");
    }
  }

  /// The comparison is with exact attention of the same rotation.
  void weights_are_compared_with_those_of_keys() {
    const VqAttentionTensors tensors = grouped_tensors();
    for (const ParameterValue& order : {after, clipped}) {
      const auto run = rotated_run(tensors, {{"rotation_order", order}, {"form", std::string("quadratic")}}).value();
      const auto output = run.attend().value(), exact = run.exact().value();
      const auto whole = run.compare(output, exact).value();
      const auto sampled = run.compare_sample(output, tokens).value();
      QVERIFY(whole.total_variation->mean > 0.01 && whole.total_variation->mean < 1);
      QVERIFY(std::fabs(whole.total_variation->mean - sampled.total_variation->mean) < 1e-6);
      QVERIFY(std::fabs(whole.output_error - sampled.output_error) < 1e-5);
    }
  }

  /// Codewords of unrotated keys do not depend on the rotation; those of rotated keys do.
  void codes_are_those_of_unrotated_keys() {
    const VqAttentionTensors tensors = grouped_tensors();
    const auto codes = [&](const Changes& changes) { return rotated_run(tensors, changes)->attend()->shortcodes; };
    const auto plain = codes({{"rope_type", std::string("none")}});
    QCOMPARE(codes({{"rotation_order", clipped}}), plain);
    QCOMPARE(codes({{"rotation_order", after}, {"form", std::string("quadratic")}}), plain);
    QVERIFY(codes({}) != plain);
  }

  void what_an_order_cannot_do_is_refused() {
    const VqAttentionTensors tensors = grouped_tensors();
    COMPARE_ERROR(rotated_run(tensors, {{"rotation_order", after}}),
                  "form is linear, but with rotation_order = quantise_first the score of a codeword depends on the "
                  "position of its key: form must be quadratic, or rotation_order rotate_first or "
                  "quantise_first_clipped");
    COMPARE_ERROR(rotated_run(tensors, {{"rotation_order", clipped}, {"causal", false}}),
                  "causal is false but must be true for rotation_order = quantise_first_clipped");
    COMPARE_ERROR(rotated_run(tensors, {{"rotation_order", clipped}, {"weights", std::string("squared_relu")}}),
                  "weights is squared_relu but must be softmax for form = linear with rotation_order = "
                  "quantise_first_clipped");
  }
};

VQSCOPE_TEST(RunRotationTest)
#include "run_rotation_test.moc"
