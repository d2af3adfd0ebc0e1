// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/report/config_ledger.h"

namespace vqscope {

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

}  // namespace vqscope
