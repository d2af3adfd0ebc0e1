// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/layer_schedule.h"

#include <string>
#include <string_view>

namespace vqscope {

/// Most layers that a text may have.
inline constexpr Index most_layers = 4096;

/// Reads one attribute of a layer, "sink" or "kv_heads=8", into `layer`. Errors name the attribute and what is allowed.
Result<void> read_layer_attribute(std::string_view text, ModelLayer& layer);

/// Reads "full", "sliding:4096", "chunked:8192", "sparse:2048", "compressed:4", "state", "state:65536" or "none".
Result<ModelLayer> read_layer_kind(std::string_view text);

/// The same layer as text, kind first, without the attributes that `usual` has too.
std::string layer_text(const ModelLayer& layer, const ModelLayer& usual);

/// "sliding:4096": what read_layer_kind reads.
std::string kind_text(const ModelLayer& layer);

/// Result of read_layer_kind, without the sizes: attention has RoPE number 0, other layers have no positions.
ModelLayer plain_layer(LayerAttention attention);

/// Whether the layer attends, so that it has heads and positions.
bool attends(const ModelLayer& layer);

/// num_key_value_heads, head_dim and latent, the attributes that all layers may have alike, as text; empty: none.
std::string sizes_text(const ModelLayer& layer, const ModelLayer& usual);

}  // namespace vqscope
