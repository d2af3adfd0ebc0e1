// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// Multimodal RoPE (Wang et al. 2024, Qwen2-VL, section 2.1): the pairs of a head are divided among three axes, time,
/// height and width, on which image tokens have different positions and text tokens the same.
///
/// `mrope_phase`: [tokens, pairs] float32, the wrapped angle in [0, 2π).
Method mrope_phase_method();

/// `mrope_positions`: [tokens, 3] int32, the position of each token on each axis.
Method mrope_positions_method();

}  // namespace vqscope
