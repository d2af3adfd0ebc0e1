// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/family/model_family.h"
#include "core/config/report/config_ledger.h"

namespace vqscope {

/// The heads of an attention layer; 0: not known.
struct LayerHeads {
  Index heads = 0;
  Index key_value_heads = 0;
  Index head_dim = 0;    ///< of queries and keys, with and without RoPE
  Index v_head_dim = 0;  ///< of values; 0: head_dim
  Index latent = 0;      ///< multi-head latent attention: kv_lora_rank + qk_rope_head_dim, of all attentions
                         ///< of a layer together; 0: keys and values
};

/// The heads of the layers of one name, as in layer_types: Gemma 4 and MiMo have other heads in some layers. Adds no
/// findings: what concerns RoPE is checked by read_head.
LayerHeads read_layer_heads(const ConfigObject& config, const ModelFamily& family, std::string_view layers);

}  // namespace vqscope
