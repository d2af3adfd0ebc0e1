// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/codebook/rotation_order.h"
#include "core/attention/forms/attention_input.h"
#include "core/base/work.h"

namespace vqscope {

/// The rotation of the q and k of a run, before or after keys are quantised.
class RunRotation {
 public:
  RunRotation() = default;  ///< none

  /// For heads of `dims` numbers and `length` tokens. Refuses what rotation_of refuses.
  static Result<RunRotation> make(const ParameterValues& values, Index dims, Index length);

  /// Refuses forms and weights that the order does not allow. `has_mask`: a mask is in the place of
  /// the causal one.
  Result<void> check(const AttentionOptions& options, bool has_mask, const std::string& weights) const;

  /// Rotates q and k, views of which `input` has. After quantisation: keeps rotated copies.
  Result<void> apply(const AttentionInput& input, std::span<float> q, std::span<float> k, Index window,
                     const Work& work);

  /// Whether keys are rotated after they are quantised.
  bool is_late() const { return m_rotation && m_order != RotationOrder::rotate_first; }

  /// For the scores of `input`: none unless it is late. The rotation must outlive it.
  LateRotation of(const AttentionInput& input) const;

  /// The codeword of each key, rotated like the key; empty unless it is late.
  std::vector<float> codewords(const AttentionInput& input, std::span<const std::int32_t> codes,
                               const std::stop_token& stop) const;

 private:
  std::shared_ptr<const Rotation> m_rotation;  ///< null: none
  RotationOrder m_order = RotationOrder::rotate_first;
  std::vector<float> m_q, m_k, m_far_q;
  Index m_window = 0;
};

}  // namespace vqscope
