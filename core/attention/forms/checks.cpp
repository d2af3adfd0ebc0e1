// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/forms/attention_forms.h"

#include "core/attention/forms/form_parts.h"
#include "core/base/sentence.h"

#include <cmath>
#include <limits>

namespace vqscope {
namespace {

constexpr Index most_window = Index{1} << 31;

Result<void> check_not_empty(const char* name, const TensorView& tensor) {
  if (tensor.heads > 0 && tensor.rows > 0 && tensor.cols > 0) return {};
  return invalid("{} is {} but must not be empty", name, shape_text(tensor));
}

/// "q is [2, 5, 3], k is [2, 5, 4]: ..."
Error disagree(const char* a, const TensorView& x, const char* b, const TensorView& y, const std::string& wanted) {
  return invalid("{} is {}, {} is {}: {}", a, shape_text(x), b, shape_text(y), wanted);
}

Result<void> check_shapes(const AttentionInput& in) {
  for (const auto& [name, tensor] : {std::pair{"q", &in.q}, {"k", &in.k}, {"v", &in.v}})
    if (auto checked = check_not_empty(name, *tensor); !checked) return checked;
  if (in.q.cols != in.k.cols)
    return disagree("q", in.q, "k", in.k, "both must have the same d_k, their last dimension");
  if (in.q.rows != in.k.rows) return disagree("q", in.q, "k", in.k, "both must have the same number of tokens");
  if (in.k.rows != in.v.rows || in.k.heads != in.v.heads)
    return disagree("k", in.k, "v", in.v, "every key needs one value");
  if (in.q.heads % in.k.heads != 0)
    return disagree("q", in.q, "k", in.k, "the heads of q must be a multiple of those of k");
  const TensorView& gate = in.gate;
  if (!gate.empty() && (gate.heads != in.q.heads || gate.rows != in.q.rows || gate.cols != in.v.cols))
    return disagree(
        "gate", gate, "v", in.v,
        fmt::format("gate must be {}, the output's shape", shape_text({{}, in.q.heads, in.q.rows, in.v.cols})));
  if (!in.key_valid.empty() && static_cast<Index>(in.key_valid.size()) != in.k.rows)
    return invalid("key_valid has {} entries but must have {}, one for each key", in.key_valid.size(), in.k.rows);
  return {};
}

Result<void> check_head_type(const AttentionInput& in, HeadType type) {
  switch (type) {
    case HeadType::any: return {};
    case HeadType::shga:
      if (in.q.heads != 1) return invalid("q has {} heads but must have 1 for head type shga", in.q.heads);
      if (in.gate.empty()) return invalid("gate is missing: head type shga multiplies the output by it");
      return {};
    case HeadType::mqa:
      if (in.k.heads == 1) return {};
      return invalid("k has {} heads but must have 1 for head type mqa", in.k.heads);
    case HeadType::mha:
      if (in.k.heads == in.q.heads) return {};
      return invalid("k has {} heads and q has {}, but head type mha needs the same number", in.k.heads, in.q.heads);
  }
  return {};
}

Result<void> check_codebook(const AttentionInput& in, AttentionForm form) {
  if (form == AttentionForm::exact) return {};
  const TensorView& codebook = in.codebook;
  if (codebook.rows < 1 || codebook.empty()) return invalid("n_code is 0 but must be at least 1");
  if (codebook.rows > std::numeric_limits<std::int32_t>::max())
    return invalid("n_code is {} but must be at most 2147483647", codebook.rows);
  if (codebook.cols != in.k.cols)
    return disagree("codebook", codebook, "k", in.k, "both must have the same d_k, their last dimension");
  if (codebook.heads != 1 && codebook.heads != in.k.heads)
    return disagree("codebook", codebook, "k", in.k, "must be one codebook for all heads of k, or one per head");
  return {};
}

/// Checks that there are numbers for each head of q, or for one.
Result<void> check_bias_part(const char* name, std::size_t given, Index per_head, Index heads) {
  if (given == 0 || given == static_cast<std::size_t>(per_head) || given == static_cast<std::size_t>(per_head * heads))
    return {};
  return invalid("bias {} has {} numbers but must have {} for all heads, or for each of {}", name, given, per_head,
                 heads);
}

Result<void> check_given_bias(const AttentionInput& in, const AttentionOptions& options) {
  const LocalBias& bias = in.bias;
  if (auto checked = check_bias_part("sinks", bias.sinks.size(), 1, in.q.heads); !checked) return checked;
  if (!bias.sinks.empty() && options.weights != WeightFunction::softmax)
    return invalid("sinks are terms of the softmax: weights must be softmax");
  if (bias.none()) return {};
  if (!options.causal) return invalid("a bias by distance requires the causal mask");
  if (bias.window < 0 || bias.window > most_window)
    return invalid("the bias's window is {} but must be 0 to {}", bias.window, most_window);
  const Index width = bias.window + 1;
  if (auto checked = check_bias_part("values", bias.values.size(), width, in.q.heads); !checked) return checked;
  if (auto checked = check_bias_part("beyond", bias.beyond.size(), 1, in.q.heads); !checked) return checked;
  if (auto checked = check_bias_part("relative", bias.relative.size(), width * in.q.cols, in.q.heads); !checked)
    return checked;
  return check_bias_part("offset", bias.offset.size(), in.q.cols, in.q.heads);
}

Result<void> check_mask(const AttentionInput& in, AttentionForm form) {
  if (!in.mask) return {};
  if (form == AttentionForm::vq_linear)
    return invalid("the linear form takes no mask: give it as a bias by distance, or choose the quadratic form");
  const Extent extent = in.mask->extent();
  if (extent.rows == in.q.rows && extent.cols == in.k.rows) return {};
  return invalid("mask is [{}, {}] but must be [{}, {}], queries by keys", extent.rows, extent.cols, in.q.rows,
                 in.k.rows);
}

Result<void> check_rotation(const AttentionInput& in, const AttentionOptions& options) {
  const LateRotation& rotation = in.rotation;
  if (rotation.none()) return {};
  if (rotation.is_clipped() && !options.causal && !in.mask)
    return invalid("a clipped rotation requires the causal mask");
  if (options.form != AttentionForm::vq_linear) return {};
  if (options.weights != WeightFunction::softmax)
    return invalid("the linear form with a rotation after quantisation takes no weights but softmax");
  if (rotation.is_clipped()) return {};
  return invalid("the linear form takes a rotation after quantisation only if its distances are clipped");
}

Result<void> check_numbers(std::span<const float> numbers, const std::string& name, bool infinity_allowed) {
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!std::isfinite(numbers[i]) && !(infinity_allowed && numbers[i] < 0))
      return invalid("bias {} has {} at {} but must be finite{}", name, to_text(numbers[i]), static_cast<Index>(i),
                     infinity_allowed ? ", or -inf to hide" : "");
  return {};
}

/// Refuses the first number that is not finite in the valid rows.
Result<void> check_rows(const char* name, const TensorView& tensor, std::span<const std::uint8_t> counts) {
  const AttentionKernels& kernels = best_kernels();
  for (Index head = 0; head < tensor.heads; ++head)
    for (Index i = 0; i < tensor.rows; ++i) {
      if (!counts.empty() && counts[static_cast<std::size_t>(i)] == 0) continue;
      const float* row = tensor.row(head, i);
      if (kernels.all_finite(row, tensor.cols)) continue;
      Index c = 0;
      while (std::isfinite(row[c])) ++c;
      return invalid("{} has {} at {}row {}, column {} but must be finite", name, to_text(row[c]),
                     tensor.heads > 1 ? fmt::format("head {}, ", head) : "", i, c);
    }
  return {};
}

}  // namespace

std::string shape_text(const TensorView& tensor) {
  const std::string heads = tensor.heads == 1 ? "" : fmt::format("{}, ", tensor.heads);
  return fmt::format("[{}{}, {}]", heads, tensor.rows, tensor.cols);
}

Result<void> check_attention(const AttentionInput& input, const AttentionOptions& options) {
  if (options.block_len < 1) return invalid("block_len is {} but must be 1 or more", options.block_len);
  if (auto checked = check_shapes(input); !checked) return checked;
  if (auto checked = check_head_type(input, options.head_type); !checked) return checked;
  if (auto checked = check_codebook(input, options.form); !checked) return checked;
  if (auto checked = check_given_bias(input, options); !checked) return checked;
  if (auto checked = check_mask(input, options.form); !checked) return checked;
  if (auto checked = check_rotation(input, options); !checked) return checked;
  const double needed = attention_memory(input, options);
  if (options.memory_limit <= 0 || needed <= options.memory_limit) return {};
  return too_large("attention over {} tokens needs {} of memory, the limit is {}", input.q.rows, byte_count(needed),
                   byte_count(options.memory_limit));
}

Result<void> check_finite(const AttentionInput& input, const AttentionOptions& options) {
  if (auto checked = check_rows("q", input.q, {}); !checked) return checked;
  if (auto checked = check_rows("k", input.k, input.key_valid); !checked) return checked;
  if (auto checked = check_rows("v", input.v, input.key_valid); !checked) return checked;
  if (auto checked = check_rows("gate", input.gate, {}); !checked) return checked;
  if (options.form != AttentionForm::exact)
    if (auto checked = check_rows("codebook", input.codebook, {}); !checked) return checked;
  const LocalBias& bias = input.bias;
  if (auto checked = check_numbers(bias.values, "values", true); !checked) return checked;
  if (auto checked = check_numbers(bias.beyond, "beyond", true); !checked) return checked;
  if (auto checked = check_numbers(bias.relative, "relative", false); !checked) return checked;
  return check_numbers(bias.offset, "offset", false);
}

}  // namespace vqscope
