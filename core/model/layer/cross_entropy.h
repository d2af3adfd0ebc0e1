// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cstdint>
#include <span>

namespace vqscope {

/// A label that is not counted.
inline constexpr std::int32_t uncounted_label = -100;

/// Σ -ln softmax(logits[i])[labels[i]] over the counted labels, in nats; logits [labels, vocabulary].
template <class Real>
double cross_entropy(std::span<const std::int32_t> labels, Index vocabulary, const Real* logits);

/// dlogits += scale · (softmax(logits) - one_hot(label)) where the label is counted.
template <class Real>
void cross_entropy_backward(std::span<const std::int32_t> labels, Index vocabulary, const Real* logits, Real scale,
                            Real* dlogits);

}  // namespace vqscope
