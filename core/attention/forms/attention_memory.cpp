// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/forms/attention_memory.h"

#include "core/attention/forms/full_attention.h"
#include "core/attention/forms/linear_plan.h"

#include <algorithm>

namespace vqscope {
namespace {

double cells(const TensorView& tensor) {
  return static_cast<double>(tensor.heads) * static_cast<double>(tensor.rows) * static_cast<double>(tensor.cols);
}

constexpr double products_per_second = 4e9;
constexpr double exponentials_per_second = 4e8;

}  // namespace

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

double attention_seconds(const AttentionInput& input, const AttentionOptions& options) {
  const auto length = static_cast<double>(input.q.rows), heads = static_cast<double>(input.q.heads);
  const double all = options.causal ? length / 2 : length;
  const auto codes = static_cast<double>(input.codebook.rows);
  const double near = options.causal ? std::min(all, 2 * static_cast<double>(options.block_len)) : 0;
  const double keys = options.form == AttentionForm::vq_linear ? near + codes : all;
  const double quantised = options.form == AttentionForm::exact ? 0 : cells(input.k) * codes;
  const double products = heads * length * keys * static_cast<double>(input.q.cols + input.v.cols) + quantised;
  return products / products_per_second + heads * length * keys / exponentials_per_second;
}

}  // namespace vqscope
