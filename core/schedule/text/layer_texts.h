// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/schedule/layer_schedule.h"

#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

// A model's layers as one line of text, as they stand in a session and on the command line.

/// Reads layers such as "5*sliding:1024,full" or "10*(5*sliding:1024, full rope=1); rope
/// rope_theta=10000; rope rope_theta=1000000 rope_type=linear factor=8". A layer is a kind (full,
/// sliding:N, chunked:N, sparse:N, compressed:N, state, none) and attributes after spaces: nope,
/// sink, two_sided, rope=N, positions=NAME, shares=LAYER, temperature=scale/floor, kv_heads=N,
/// head_dim=N, v_head_dim=N, latent=N; of sparse and compressed layers also window=N, topk=N,
/// block=N, index_dim=N, index_pool=N, index_pairs=NAME. Sections after semicolons: "all" with
/// sizes of every layer that attends, "rope" with the values of RoPE number 0, 1, …, and
/// "interleaved" or "head_split". The list is repeated or cut to `num_hidden_layers`; 0: as it is.
/// Errors name the place.
Result<LayerSchedule> parse_layers(std::string_view text, Index num_hidden_layers = 0);

/// A short text that parse_layers reads as the same layers, but for their names in layer_types.
std::string layers_text(const LayerSchedule& schedule);

/// Ascending numbers of layers in few words: "0-4, 6-10, …, 54-58, 60-61". A regular sequence is
/// shortened to its first two members and its last one, what breaks it is listed. Beyond `most`
/// such parts those before the last are left out.
std::string layer_numbers_text(const std::vector<Index>& numbers, std::size_t most = 8);

/// "layer 5", "layers 5, 11, …, 59 (10 layers)": the number of layers where some are not listed.
std::string named_layers(const std::vector<Index>& numbers);

/// Most layers that a text may have.
inline constexpr Index most_layers = 4096;

/// Reads one attribute of a layer, "sink" or "kv_heads=8", into `layer`. Errors name the attribute
/// and what is allowed.
Result<void> read_layer_attribute(std::string_view text, ModelLayer& layer);

/// Reads "full", "sliding:4096", "chunked:8192", "sparse:2048", "compressed:4", "state",
/// "state:65536" or "none".
Result<ModelLayer> read_layer_kind(std::string_view text);

/// The same layer as text, kind first, without the attributes that `usual` has too.
std::string layer_text(const ModelLayer& layer, const ModelLayer& usual);

/// "sliding:4096": what read_layer_kind reads.
std::string kind_text(const ModelLayer& layer);

/// Result of read_layer_kind, without the sizes: attention has RoPE number 0, other layers have no
/// positions.
ModelLayer plain_layer(LayerAttention attention);

/// Whether the layer attends, so that it has heads and positions.
bool attends(const ModelLayer& layer);

/// num_key_value_heads, head_dim and latent, the attributes that all layers may have alike, as
/// text; empty: none.
std::string sizes_text(const ModelLayer& layer, const ModelLayer& usual);

}  // namespace vqscope
