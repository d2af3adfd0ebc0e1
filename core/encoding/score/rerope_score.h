// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `rerope_score`: [q_length, kv_length] float32, B(r) = Σ cos(r θ_i) of the distance r that ReRoPE gives the
/// difference n = q - k (Su 2023): n where |n| < window; beyond it `window`, or for Leaky ReRoPE window + (n - window)
/// / leaky_factor. q · k / 2 for q = k = ones, as `rope_score_field`; the factor ln(q + 1) / ln(training length)
/// on long queries is left out. Keys ahead of the query are what the same formulas give; a causal mask hides them.
Method rerope_score_method();

}  // namespace vqscope
