// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/family/model_family.h"
#include "core/config/report/config_ledger.h"

namespace vqscope {

/// The rotated dimensions of a head.
struct ConfigHead {
  Index head_dim = 0;
  Index rotary_dim = 0;  ///< 0: all of them
  bool latent = false;   ///< multi-head latent attention: RoPE has a part of each head to itself

  Index rotated() const { return rotary_dim == 0 ? head_dim : rotary_dim; }
};

/// Reads the head as Hugging Face does: qk_rope_head_dim, else head_dim, else hidden_size /
/// num_attention_heads, and of it partial_rotary_factor (rotary_pct, rotary_dim), which may also be
/// in `rope`. What is not given is the family's default. Layers of one name may have a head size of
/// their own. Returns nothing and adds an error if the head cannot be determined.
std::optional<ConfigHead> read_head(const ConfigObject& config, const ConfigObject* rope, const ModelFamily& family,
                                    std::string_view layers = {}, Index layer = 0);

/// The dimensions of a head in the layers of one name, without findings; 0: not known.
Index head_dim_of(const ConfigObject& config, const ModelFamily& family, std::string_view layers);

/// Whether the model has multi-head latent attention with RoPE on a part of each head. Some
/// families write 0 or null if they do not.
bool has_latent_attention(const ConfigObject& config, const ModelFamily& family);

/// "4096 is the default of Phi3Config".
std::string default_text(const ModelFamily& family, const std::string& value);

}  // namespace vqscope
