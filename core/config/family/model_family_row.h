// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/family/model_family.h"
#include "core/config/report/config_ledger.h"

namespace vqscope {

// Builds the rows of model_families_*.cpp.

/// Defaults of a class: {hidden_size, heads, head_dim, positions, layers}.
struct FamilySizes {
  Index hidden_size = 0, heads = 0, head_dim = 0, positions = 0, layers = 0;
};

struct FamilyRow : ModelFamily {
  FamilyRow(std::string_view type, std::string_view origin, PositionScheme encoding, FamilySizes sizes = {}) {
    model_type = type;
    source = origin;
    kind = encoding;
    hidden_size = sizes.hidden_size;
    heads = sizes.heads;
    head_dim = sizes.head_dim;
    positions = sizes.positions;
    layers = sizes.layers;
  }
  FamilyRow with(auto ModelFamily::*member, auto value) const {
    FamilyRow row = *this;
    row.*member = value;
    return row;
  }
  FamilyRow base(double value, double local = 0) const {
    return with(&ModelFamily::theta, value).with(&ModelFamily::local_theta, local);
  }
  FamilyRow part(double fraction) const { return with(&ModelFamily::rotated, fraction); }
  FamilyRow kv(Index count) const { return with(&ModelFamily::key_value_heads, count); }
  /// Qwen3-VL and later: the axes alternate.
  FamilyRow mixes(std::array<Index, 3> section) const {
    return with(&ModelFamily::axes, section).with(&ModelFamily::mixed_axes, true);
  }
  FamilyRow adjacent() const { return with(&ModelFamily::interleaved, true); }
  FamilyRow slides(LayerRule how, Index window_size, Index every = 0) const {
    return with(&ModelFamily::rule, how).with(&ModelFamily::window, window_size).with(&ModelFamily::period, every);
  }
  /// Multi-head latent attention: parts of a head with and without RoPE, values, rank.
  FamilyRow latents(LatentSizes sizes) const { return with(&ModelFamily::latent, sizes); }
  FamilyRow selects(Index keys, Index dim) const {
    return with(&ModelFamily::topk, keys).with(&ModelFamily::index_dim, dim);
  }
  FamilyRow nope(LayersWithoutRope where) const { return with(&ModelFamily::without_rope, where); }
  FamilyRow length_in(std::string_view key, Index kept = 0) const {
    return with(&ModelFamily::positions_key, key).with(&ModelFamily::reserved, kept);
  }
  FamilyRow noted(std::string_view text) const { return with(&ModelFamily::note, text); }
};

inline FamilyRow rope_row(std::string_view type, std::string_view origin, FamilySizes sizes = {}) {
  return {type, origin, PositionScheme::rope, sizes};
}

// Limits of a model, whichever file describes it. Every reader of config.json, params.json and GGUF
// checks its numbers by these before it computes anything: tables of pairs and layers grow with
// them.

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
