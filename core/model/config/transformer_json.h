// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/json/config_value.h"
#include "core/io/json/json_value.h"
#include "core/model/config/transformer_config.h"

#include <span>
#include <string_view>

namespace vqscope {

/// A config from a JSON object. vocab, d_model, n_layers, n_heads and d_ff must be there; n_kv_heads is n_heads and
/// head_dim is d_model / n_heads where they are not. With layer_kind "shga", d_k stands for the keys of heads and MLP,
/// and d_v is 2 · d_model where it is not there. `also` are keys that others read. Errors name the key that is not
/// known, is missing, or whose value is not valid.
Result<TransformerConfig> read_transformer_config(const ConfigValue& json, std::span<const std::string_view> also = {});

/// What reads back as this config: the keys that are required, pos, attn, and those of another value than the default.
JsonObject transformer_json(const TransformerConfig& config);

}  // namespace vqscope
