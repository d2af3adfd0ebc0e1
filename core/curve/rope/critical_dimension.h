// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

namespace vqscope {

/// 2 ⌈d/2 · log_b(L / 2π)⌉ within [0, d] (Liu et al. 2024): dimensions of RoPE whose wavelength is within a
/// training length L, rounded up to a pair.
Index critical_dimension(Index rotary_dim, double base, Index trained);

}  // namespace vqscope
