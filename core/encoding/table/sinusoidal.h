// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `sinusoidal`: [q_length, d_model] float32, what is added to the token embeddings (Vaswani et al. 2017, section 3.5).
/// Pair i of a position is its sine and cosine of position · base^(-2i / d_model): in columns 2i and 2i + 1
/// (interleaved), or in columns i and i + d_model / 2 (concatenated).
Method sinusoidal_method();

}  // namespace vqscope
