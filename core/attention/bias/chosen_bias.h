// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/bias/mask_window.h"
#include "core/base/work.h"
#include "core/method/parameter.h"

#include <memory>

namespace vqscope {

/// `bias`, `clipped`, `xl_base`, `sinks` and `mask`, and the parameters of each bias in the registry.
std::vector<ParameterSpec> bias_parameters();

/// Sizes for which B is computed.
struct BiasShape {
  Index length = 1;  ///< tokens
  Index window = 1;  ///< the distance beyond which the linear form needs one value: block_len
  Index heads = 1;   ///< query heads; each has its own part of a bias that differs by head
  Index d_k = 1;
};

/// Bias and mask that the user chose: B in softmax(Q Kᵀ + B), apart from causality. Checks the
/// hypothesis
/// that B is constant beyond the window (Transformer-VQ, theorems 3.6 and 3.7).
class ChosenBias {
 public:
  /// If `values` has no `mask`, there is none. Evaluates every distance and, once, every row of the
  /// mask. Refuses what check() refuses, and a mask whose rows are too much work.
  static Result<ChosenBias> make(const ParameterValues& values, const BiasShape& shape, const Work& work = {});

  /// Refuses what the bias's own check refuses, naming its id, and a mask text that has free names
  /// or cannot be parsed. Evaluates no distance and no row.
  static Result<void> check(const ParameterValues& values, const BiasShape& shape);

  bool none() const { return only_sinks() && m_sinks.empty(); }
  /// Whether scores stay as they are.
  bool only_sinks() const { return m_functions.empty() && !m_transformer_xl && !m_mask; }
  /// Logits of the learned sinks: one per head, or one for all; empty: none.
  const std::vector<float>& sinks() const { return m_sinks; }
  const WindowCheck& hypothesis() const { return m_hypothesis; }

  /// The bias at every distance, which the exact and the quadratic form add, and the mask that they
  /// apply; null: none.
  const LocalBias& whole() const { return m_whole; }
  std::shared_ptr<const Mask> mask() const { return m_mask ? m_mask->mask : nullptr; }

  /// The bias up to the window, and beyond it the value of the next distance. The linear form adds
  /// this if there is no mask, whether or not the result is exact.
  LocalBias within_window() const { return up_to(m_shape.window); }

  /// The bias, including the mask, that the linear form adds. Refused with the sentence of the
  /// hypothesis if it does not hold or if the mask depends on more than the distance.
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
  double m_xl_base = 10000;
  bool m_clipped = false;
  std::vector<RelativeFunction> m_functions;  ///< one per head, or one for all
  std::shared_ptr<const CheckedMask> m_mask;  ///< null: none
  std::vector<float> m_sinks;
  LocalBias m_whole;
  WindowCheck m_hypothesis;
};

}  // namespace vqscope
