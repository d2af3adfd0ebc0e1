// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/position/config_ledger.h"

namespace vqscope {

/// The rotated dimensions of a head.
struct ConfigHead {
  Index head_dim = 0;
  Index rotary_dim = 0;  ///< 0: all of them
  bool latent = false;   ///< multi-head latent attention: a part of each head is kept for RoPE alone

  Index rotated() const { return rotary_dim == 0 ? head_dim : rotary_dim; }
};

/// As Hugging Face: qk_rope_head_dim, else head_dim, else hidden_size / num_attention_heads, and of it
/// partial_rotary_factor (rotary_pct, rotary_dim), which `rope` may have too. Nothing where it cannot be told, with an
/// error.
std::optional<ConfigHead> read_head(const ConfigObject& config, const ConfigObject* rope);

}  // namespace vqscope
