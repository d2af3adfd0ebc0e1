// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/forms/attention.h"

#include "core/attention/forms/attention_forms.h"
#include "core/attention/workers.h"
#include "core/base/sentence.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

const AttentionKernels& kernels_of(const AttentionOptions& options) {
  return options.kernels == nullptr ? best_kernels() : *options.kernels;
}

void quantise_all(const AttentionInput& input, const AttentionOptions& options, const Work& work,
                  std::vector<std::int32_t>& codes) {
  codes.resize(static_cast<std::size_t>(input.k.heads * input.k.rows));
  for (Index head = 0; head < input.k.heads; ++head)
    quantise_keys(input, head, {0, input.k.rows}, quantiser_of(input, head, kernels_of(options)), options.threads, work,
                  codes.data() + head * input.k.rows);
}

/// Weights that nothing divides can leave the range of float32.
Result<void> check_output(const std::vector<float>& values, const AttentionInput& input) {
  const auto bad = std::ranges::find_if_not(values, [](float x) { return std::isfinite(x); });
  if (bad == values.end()) return {};
  const Index row = static_cast<Index>(bad - values.begin()) / input.v.cols;
  return invalid("the output of query {} is {}: the scores are too large for weights without a sum", row % input.q.rows,
                 to_text(*bad));
}

void multiply(std::span<const float> gate, std::vector<float>& values) {
  for (std::size_t i = 0; i < gate.size(); ++i) values[i] *= gate[i];
}

}  // namespace

std::vector<float> quantised_keys(const AttentionInput& input, std::span<const std::int32_t> codes) {
  std::vector<float> keys(input.k.values.size());
  float* out = keys.data();
  for (Index head = 0; head < input.k.heads; ++head)
    for (Index j = 0; j < input.k.rows; ++j, out += input.k.cols)
      if (const Index code = codes[static_cast<std::size_t>(head * input.k.rows + j)]; code >= 0)
        std::copy_n(input.codebook.row(std::min(head, input.codebook.heads - 1), code), input.k.cols, out);
  return keys;
}

Result<AttentionOutput> attention(const AttentionInput& input, const AttentionOptions& options, const Work& work) {
  if (auto checked = check_attention(input, options); !checked) return checked.error();
  if (auto checked = check_finite(input, options); !checked) return checked.error();
  const AttentionKernels& kernels = kernels_of(options);
  AttentionOutput out;
  out.kernels = kernels.name;
  out.values = zeros(input.q.heads * input.q.rows * input.v.cols, options.threads);
  if (options.weights != WeightFunction::softmax) {
    std::vector<float> quantised;
    TensorView keys = input.k;
    if (options.form != AttentionForm::exact) {
      quantise_all(input, options, {.stop = work.stop}, out.shortcodes);
      quantised = quantised_keys(input, out.shortcodes);
      keys.values = quantised;
    }
    elementwise_attention(input, keys, options, out.shortcodes, work, out.values.data());
  } else if (options.form == AttentionForm::exact) {
    full_attention(input, input.k, options, kernels, work, out.values.data());
  } else if (options.form == AttentionForm::vq_quadratic) {
    quantise_all(input, options, {.stop = work.stop}, out.shortcodes);
    const std::vector<float> keys = quantised_keys(input, out.shortcodes);
    full_attention(input, {keys, input.k.heads, input.k.rows, input.k.cols}, options, kernels, work, out.values.data());
  } else {
    out.shortcodes.resize(static_cast<std::size_t>(input.k.heads * input.k.rows));
    out.padded = options.causal ? (options.block_len - input.q.rows % options.block_len) % options.block_len : 0;
    linear_attention(input, options, kernels, work, out.shortcodes.data(), out.values.data());
  }
  if (work.stop.stop_requested()) return cancelled();
  multiply(input.gate.values, out.values);
  if (options.weights != WeightFunction::softmax)
    if (auto checked = check_output(out.values, input); !checked) return checked.error();
  return out;
}

Result<std::vector<std::int32_t>> shortcodes(const AttentionInput& input, const AttentionOptions& options,
                                             const Work& work) {
  if (auto checked = check_attention(input, options); !checked) return checked.error();
  if (auto checked = check_finite(input, options); !checked) return checked.error();
  std::vector<std::int32_t> codes;
  quantise_all(input, options, work, codes);
  if (work.stop.stop_requested()) return cancelled();
  return codes;
}

}  // namespace vqscope
