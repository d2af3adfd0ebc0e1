// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `rope_phase`: [q_length, pairs] float32, the wrapped angle in [0, 2π).
Method rope_phase_method();

/// `rope_cos`, `rope_sin`: [q_length, pairs] or [q_length, head_dim] float32.
Method rope_cos_method();
Method rope_sin_method();

}  // namespace vqscope
