// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/family/model_family.h"
#include "core/config/report/config_ledger.h"

#include <span>

namespace vqscope {

/// Keys of a config that indicate RoPE.
std::span<const std::string> rope_config_keys();

/// Whether an object has any key of a text model's config.
bool describes_model(const ConfigValue& object);

/// Whether a whole file is a model's config, even of a model without any of these keys.
bool is_model_config(const ConfigValue& root);

/// The encoding according to family and keys: size or switches may change the encoding of a family.
PositionScheme read_position_kind(const ConfigObject& config, const ModelFamily& family);

constexpr std::string_view full_layers = "full_attention";
constexpr std::string_view sliding_layers = "sliding_attention";
constexpr std::string_view chunked_layers = "chunked_attention";
constexpr std::string_view compressed_layers = "compressed_attention";

/// One name per kind: "full_attention" for "global".
std::string usual_layer_name(const std::string& name);

/// Whether layers of this name are known to carry a state.
bool has_state(std::string_view name);

/// Whether layers of this name attend; others carry a state or see one token.
bool attends(std::string_view name);

/// The kind of each layer, if the config lists them in one of the usual ways: names, numbers of the
/// layers that attend, flags, one letter per layer, or period and offset. Empty if it does not, or
/// not for `count` layers.
std::vector<std::string> listed_layers(const ConfigObject& config, Index count);

/// The layers of a model, from the first to the last: name, attention, window and encoding. Empty
/// if their number or kinds are unknown. `rope` is 0 for every layer that rotates, whichever of
/// several RoPEs it has.
std::vector<ModelLayer> read_layers(const ConfigObject& config, const ModelFamily& family, PositionScheme kind);

/// The summary of a layer, without its name and its count.
LayerKind plain_kind(const ModelLayer& layer);

/// The layers by kind, in the order of first appearance.
std::vector<LayerKind> layer_kinds(std::span<const ModelLayer> layers);

// Positions as rows of a table, and biases by distance.

/// Reads the tables of a model with learned or computed absolute positions, with a finding for each
/// that cannot simply be enlarged.
void read_tables(const ConfigObject& config, const ModelFamily& family, ConfigReport& report);

/// Reads the number of heads, and adds a view of ALiBi.
void read_alibi(const ConfigObject& config, const ModelFamily& family, ConfigReport& report);

/// Adds the buckets of the encoder and of the decoder as views.
void read_t5(const ConfigObject& config, ConfigReport& report);

}  // namespace vqscope
