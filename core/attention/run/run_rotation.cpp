// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/run/run_rotation.h"

#include "core/attention/forms/attention.h"
#include "core/base/sentence.h"
#include "core/encoding/own/own_rotation.h"

namespace vqscope {
namespace {

/// Each head is a sequence from position 0.
void rotate_heads(const Rotation& rotation, const TensorView& shape, std::span<float> numbers,
                  const std::stop_token& stop) {
  const auto size = static_cast<std::size_t>(shape.rows * shape.cols);
  for (std::size_t begin = 0; begin < numbers.size(); begin += size)
    rotate_tokens(rotation, numbers.subspan(begin, size), shape.cols, 0, stop);
}

}  // namespace

Result<RunRotation> RunRotation::make(const ParameterValues& values, Index dims, Index length) {
  auto rotation = rotation_of(values, dims, length);
  if (!rotation) return rotation.error();
  RunRotation of_run;
  of_run.m_rotation = std::move(*rotation);
  of_run.m_order = rotation_order_of(values);
  return of_run;
}

Result<void> RunRotation::check(const AttentionOptions& options, bool has_mask, const std::string& weights) const {
  const bool linear = options.form == AttentionForm::vq_linear;
  if (auto checked = linear ? check_linear_order(m_order) : Result<void>(); !checked) return checked;
  if (m_order != RotationOrder::quantise_first_clipped) return {};
  if (!options.causal && !has_mask)
    return invalid("causal is false but must be true for rotation_order = quantise_first_clipped");
  if (linear && options.weights != WeightFunction::softmax)
    return invalid("weights is {} but must be softmax for form = linear with rotation_order = quantise_first_clipped",
                   weights);
  return {};
}

Result<void> RunRotation::apply(const AttentionInput& input, std::span<float> q, std::span<float> k, Index window,
                                const Work& work) {
  if (!m_rotation) return {};
  if (is_late()) {
    if (m_order == RotationOrder::quantise_first_clipped)
      m_far_q = far_queries(*m_rotation, q, input.q.cols, window, work.stop);
    m_q.assign(q.begin(), q.end());
    m_k.assign(k.begin(), k.end());
    m_window = window;
    q = m_q;
    k = m_k;
  }
  rotate_heads(*m_rotation, input.q, q, work.stop);
  rotate_heads(*m_rotation, input.k, k, work.stop);
  return work.stop.stop_requested() ? Result<void>(cancelled()) : Result<void>();
}

LateRotation RunRotation::of(const AttentionInput& input) const {
  if (m_q.empty()) return {};
  return {.q = {m_q, input.q.heads, input.q.rows, input.q.cols},
          .k = {m_k, input.k.heads, input.k.rows, input.k.cols},
          .far_q = {m_far_q, input.q.heads, input.q.rows, input.q.cols},
          .window = m_window};
}

std::vector<float> RunRotation::codewords(const AttentionInput& input, std::span<const std::int32_t> codes,
                                          const std::stop_token& stop) const {
  if (!is_late()) return {};
  std::vector<float> keys = quantised_keys(input, codes);
  rotate_heads(*m_rotation, input.k, keys, stop);
  return keys;
}

}  // namespace vqscope
