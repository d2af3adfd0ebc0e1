// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/json/config_value.h"
#include "core/io/json/json_value.h"
#include "core/model/config/transformer_config.h"

#include <span>
#include <string_view>

namespace vqscope {

/// A config from a JSON object. vocab, d_model, n_layers, n_heads and d_ff are required; n_kv_heads
/// defaults to n_heads and head_dim to d_model / n_heads. With layer_kind "shga", d_k replaces the
/// keys of heads and MLP, and d_v defaults to 2 · d_model. `also` are keys that others read. Errors
/// name the unknown or missing key, or the key whose value is not valid.
Result<TransformerConfig> read_transformer_config(const ConfigValue& json, std::span<const std::string_view> also = {});

/// JSON that reads back as this config: the required keys, pos, attn, and the keys whose value is
/// not the default.
JsonObject transformer_json(const TransformerConfig& config);

}  // namespace vqscope
