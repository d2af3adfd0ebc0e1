// SPDX-License-Identifier: GPL-3.0-or-later
// A model's layers as one line of text, as they stand in a session and on the command line.
#pragma once

#include "core/schedule/layer_schedule.h"

#include <string>
#include <string_view>

namespace vqscope {

/// Reads layers such as "5*sliding:1024,full" or "10*(5*sliding:1024, full rope=1); rope rope_theta=10000; rope
/// rope_theta=1000000 rope_type=linear factor=8". A layer is a kind (full, sliding:N, chunked:N, sparse:N,
/// compressed:N, state, none) and attributes after spaces: nope, sink, two_sided, rope=N, positions=NAME, shares=LAYER,
/// temperature=scale/floor, kv_heads=N, head_dim=N, v_head_dim=N, latent=N; of sparse and compressed layers also
/// window=N, topk=N, block=N, index_dim=N, index_pool=N, index_pairs=NAME. Sections after semicolons: "all" with sizes
/// of every layer that attends, "rope" with the values of RoPE number 0, 1, …, and "interleaved" or "head_split". The
/// list is repeated or cut to `num_hidden_layers`; 0: as it is. Errors name the place.
Result<LayerSchedule> parse_layers(std::string_view text, Index num_hidden_layers = 0);

/// A short text that parse_layers reads as the same layers, but for their names in layer_types.
std::string layers_text(const LayerSchedule& schedule);

}  // namespace vqscope
