// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/bias/mask_window.h"
#include "core/base/work.h"
#include "core/method/parameter.h"

#include <memory>

namespace vqscope {

/// `bias`, `clipped` and `mask`, and what the biases of the registry have of their own.
std::vector<ParameterSpec> bias_parameters();

/// Sizes that B is made for.
struct BiasShape {
  Index length = 1;  ///< tokens
  Index window = 1;  ///< the distance beyond which the linear form needs one value: block_len
  Index heads = 1;   ///< of queries; more than one: each has its own part of a bias that differs by head
  Index d_k = 1;
};

/// Bias and mask that a person has chosen: B of softmax(Q Kᵀ + B), besides causality. With the check of the hypothesis
/// that B is constant beyond the window (Transformer-VQ, theorems 3.6 and 3.7).
class ChosenBias {
 public:
  /// Values without `mask` have none. Looks at every distance and, once, at every row of the mask. Refuses what check()
  /// does, and a mask whose rows are too much work.
  static Result<ChosenBias> make(const ParameterValues& values, const BiasShape& shape, const Work& work = {});

  /// Refuses what a bias's own check does, with its id, and a mask's text that leaves names free or cannot be read.
  /// Looks at no distance and at no row.
  static Result<void> check(const ParameterValues& values, const BiasShape& shape);

  bool none() const { return m_functions.empty() && !m_transformer_xl && !m_mask; }
  const WindowCheck& hypothesis() const { return m_hypothesis; }

  /// Of every distance: what the exact and the quadratic form add, and the mask that they apply; null: none.
  const LocalBias& whole() const { return m_whole; }
  std::shared_ptr<const Mask> mask() const { return m_mask ? m_mask->mask : nullptr; }

  /// The bias up to the window, beyond it the value of the distance after: what the linear form adds without a mask,
  /// exact or not.
  LocalBias within_window() const { return up_to(m_shape.window); }

  /// What the linear form adds, the mask within it. Refused with the hypothesis's sentence where that does not hold,
  /// and where the mask depends on more than the distance.
  Result<LocalBias> for_linear_form() const;

 private:
  explicit ChosenBias(const BiasShape& shape) : m_shape(shape) {}
  Result<void> take_bias(const ParameterValues& values);
  Result<void> take_mask(const std::string& text, const Work& work);
  void check_hypothesis(const std::stop_token& stop);
  void check_mask();
  void check_functions(const std::stop_token& stop);
  LocalBias up_to(Index wanted, const std::stop_token& stop = {}) const;

  BiasShape m_shape;
  bool m_transformer_xl = false;
  bool m_clipped = false;
  std::vector<RelativeFunction> m_functions;  ///< for each head, or one for all
  std::shared_ptr<const CheckedMask> m_mask;  ///< null: none
  LocalBias m_whole;
  WindowCheck m_hypothesis;
};

}  // namespace vqscope
