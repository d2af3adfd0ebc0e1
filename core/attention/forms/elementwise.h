// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/forms/attention_input.h"

#include <functional>

namespace vqscope {

/// An element-wise nonlinearity in the place of softmax; what is hidden weighs nothing.
using Nonlinearity = std::function<double(double)>;

/// VQ attention with element-wise weights of the first head, in double, [T, d_v]; the gate is left out. Definition 3.1
/// cell by cell: phi(q·k̂ + B) V, causal or not as the options say.
std::vector<double> elementwise_quadratic(const AttentionInput& input, const AttentionOptions& options,
                                          const Nonlinearity& phi);

/// The same in linear time, from sums of values by shortcode: theorem 3.6 with blocks of block_len, which need a bias
/// that is 0 beyond block_len; without a mask theorem 3.4, which needs no bias.
std::vector<double> elementwise_linear(const AttentionInput& input, const AttentionOptions& options,
                                       const Nonlinearity& phi);

}  // namespace vqscope
