// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/family/model_family.h"
#include "core/config/report/config_ledger.h"
#include "core/config/report/config_report.h"

namespace vqscope {

/// Fills in what a layer has beside its mask and its positions: heads, sinks, query temperature,
/// and an earlier layer whose keys and values are used. `scaling`: the object with the RoPE
/// scaling; null: none.
void read_layer_details(const ConfigObject& config, const ConfigObject* scaling, const ModelFamily& family,
                        std::vector<ModelLayer>& layers);

/// Chunks whose positions start again, a factor of queries beyond the training length, and a base
/// that grows with the sequence: what Qwen's models add to RoPE.
void read_length_extensions(const ConfigObject& config, const ModelFamily& family, ConfigReport& report);

/// Gives each layer with RoPE the one of its name, or the one of all layers. Without any, which is
/// after an error, the layers keep "rope" as their positions.
void assign_ropes(const std::vector<RopeUse>& ropes, LayerSchedule& schedule);

/// The heads of an attention layer; 0: not known.
struct LayerHeads {
  Index heads = 0;
  Index key_value_heads = 0;
  Index head_dim = 0;    ///< of queries and keys, with and without RoPE
  Index v_head_dim = 0;  ///< of values; 0: head_dim
  Index latent = 0;      ///< multi-head latent attention: kv_lora_rank + qk_rope_head_dim, of all attentions
                         ///< of a layer together; 0: keys and values
};

/// The heads of the layers of one name, as in layer_types: Gemma 4 and MiMo have other heads in
/// some layers. Adds no findings: what concerns RoPE is checked by read_head.
LayerHeads read_layer_heads(const ConfigObject& config, const ModelFamily& family, std::string_view layers);

/// Fills in how many numbers the recurrent layers keep of a sequence, from the sizes that the
/// config has for them: the state, and the last inputs of a short convolution. Layers whose sizes
/// are not given keep 0, which is "not known".
void read_states(const ConfigObject& config, std::vector<ModelLayer>& layers);

/// Findings about lists of layers that readers refuse or that are not read here: another length
/// than the number of layers, names that are no type of layer, windows without a size. `count`: the
/// number of layers; 0: not known.
void check_layer_lists(const ConfigObject& config, const ModelFamily& family, Index count,
                       const std::vector<ModelLayer>& layers);

/// A finding where query heads cannot be shared out among the key-value heads that the config
/// gives.
void check_head_groups(const ConfigObject& config, const LayerHeads& heads);

/// A finding where a window is switched off by a key that the class does not read.
void check_window_switch(const ConfigObject& config, const ModelFamily& family);

/// Makes layers sparse or compressed by the fields of a config, whatever its model_type: an indexer
/// with a number of keys or blocks to select, ratios of compression. `window`: that of the local
/// branch of compressed layers.
void read_selection(const ConfigObject& config, const ModelFamily& family, Index window,
                    std::vector<ModelLayer>& layers);

/// How the indexers of latent attention rotate, if not as their layer does.
void read_index_pairs(const ConfigObject& config, const ModelFamily& family, LayerSchedule& schedule);

}  // namespace vqscope
