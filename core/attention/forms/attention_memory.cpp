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

}  // namespace vqscope
