// SPDX-License-Identifier: GPL-3.0-or-later
// Limits of a model, whichever file describes it. Every reader of config.json, params.json and GGUF checks its numbers
// by these before it computes anything: tables of pairs and layers grow with them.
#pragma once

#include "core/config/report/config_ledger.h"

namespace vqscope {

inline constexpr NumberRange layer_counts{1, 4096};
inline constexpr NumberRange head_counts{1, 1 << 16};
inline constexpr NumberRange head_sizes{2, 4096};       ///< dimensions of a head
inline constexpr NumberRange model_widths{1, 1 << 24};  ///< hidden_size, embedding_length
inline constexpr NumberRange latent_ranks{1, 1 << 20};  ///< kv_lora_rank
inline constexpr NumberRange key_windows{1, 2147483648.0};
inline constexpr NumberRange layer_periods{1, 4096};
inline constexpr NumberRange layer_numbers{0, 4096};
inline constexpr NumberRange compress_ratios{0, 1 << 20};
inline constexpr NumberRange lengths{1, 2147483648.0};
inline constexpr NumberRange thetas{1, 1e12, true};

/// Members of an object that are read one by one; published configs have about a hundred.
inline constexpr std::size_t most_config_members = 1024;

/// hidden_size / num_attention_heads as the size of a head: nothing if it is not one.
constexpr std::optional<Index> divided_width(Index width, Index heads) {
  if (heads < 1 || !head_sizes.holds(static_cast<double>(width / heads))) return std::nullopt;
  return width / heads;
}

}  // namespace vqscope
