// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/config/transformer_config.h"

namespace vqscope {

/// Turns layers of attention and MLP into pairs of single-head gated units with about as many
/// parameters. Where they are 0, d_k becomes the previous head_dim, and d_v follows from n_heads
/// and d_ff:
///   2 d_model (2 d_k + 3 d_v) = d_model (2 heads + 2 kv heads) head_dim + d_model d_ff (3 for SwiGLU, 2 for GELU)
/// d_v is at least 1.
void use_gated_layers(TransformerConfig& config, Index d_k = 0, Index d_v = 0);

}  // namespace vqscope
