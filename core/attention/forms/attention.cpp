// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/forms/attention.h"

#include "core/attention/forms/checks.h"
#include "core/attention/forms/full_attention.h"
#include "core/attention/forms/linear_attention.h"
#include "core/attention/forms/linear_plan.h"
#include "core/attention/zeros.h"

#include <algorithm>

namespace vqscope {
namespace {

const AttentionKernels& kernels_of(const AttentionOptions& options) {
  return options.kernels == nullptr ? best_kernels() : *options.kernels;
}

/// The codewords of the keys, 0 for keys that are not valid. [kv heads, T, d_k].
std::vector<float> quantised_keys(const AttentionInput& input, const std::vector<std::int32_t>& codes) {
  std::vector<float> keys(input.k.values.size());
  float* out = keys.data();
  for (Index head = 0; head < input.k.heads; ++head)
    for (Index j = 0; j < input.k.rows; ++j, out += input.k.cols)
      if (const Index code = codes[static_cast<std::size_t>(head * input.k.rows + j)]; code >= 0)
        std::copy_n(input.codebook.row(std::min(head, input.codebook.heads - 1), code), input.k.cols, out);
  return keys;
}

void quantise_all(const AttentionInput& input, const AttentionOptions& options, const Work& work,
                  std::vector<std::int32_t>& codes) {
  codes.resize(static_cast<std::size_t>(input.k.heads * input.k.rows));
  for (Index head = 0; head < input.k.heads; ++head)
    quantise_keys(input, head, {0, input.k.rows}, quantiser_of(input, head, kernels_of(options)), options.threads, work,
                  codes.data() + head * input.k.rows);
}

void multiply(std::span<const float> gate, std::vector<float>& values) {
  for (std::size_t i = 0; i < gate.size(); ++i) values[i] *= gate[i];
}

double cells(const TensorView& tensor) {
  return static_cast<double>(tensor.heads) * static_cast<double>(tensor.rows) * static_cast<double>(tensor.cols);
}

}  // namespace

Index explicit_blocks(const LocalBias& bias, const AttentionOptions& options) {
  const Index window = options.near_window.value_or(bias.window);
  const Index reached = bias.none() ? 0 : window / options.block_len + (window % options.block_len != 0 ? 1 : 0);
  return options.agg_cache ? reached : std::max<Index>(reached, 1);
}

double attention_memory(const AttentionInput& input, const AttentionOptions& options) {
  const double output =
      4 * cells(input.q) / static_cast<double>(std::max<Index>(input.q.cols, 1)) * static_cast<double>(input.v.cols);
  const double codes = 4 * static_cast<double>(input.k.heads) * static_cast<double>(input.k.rows);
  const auto full = 4 * static_cast<double>(full_attention_room(input, options));
  switch (options.form) {
    case AttentionForm::exact: return output + full;
    case AttentionForm::vq_quadratic: return output + codes + full + 4 * cells(input.k);
    case AttentionForm::vq_linear: return output + codes + linear_attention_memory(input, options);
  }
  return 0;
}

Result<AttentionOutput> attention(const AttentionInput& input, const AttentionOptions& options, const Work& work) {
  if (auto checked = check_attention(input, options); !checked) return checked.error();
  if (auto checked = check_finite(input, options); !checked) return checked.error();
  const AttentionKernels& kernels = kernels_of(options);
  AttentionOutput out;
  out.kernels = kernels.name;
  out.values = zeros(input.q.heads * input.q.rows * input.v.cols, options.threads);
  if (options.form == AttentionForm::exact) {
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
