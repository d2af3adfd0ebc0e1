// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `pair_permutation`: where each dimension of a head goes when weights are converted between the two pair layouts of
/// RoPE, from half_split (Hugging Face, GPT-NeoX) to interleaved (Meta, GPT-J) and back. Dimensions beyond rotary_dim
/// stay.
Method pair_permutation_method();

}  // namespace vqscope
