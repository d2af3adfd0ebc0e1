// SPDX-License-Identifier: GPL-3.0-or-later
// Builds the rows of model_families_*.cpp.
#pragma once

#include "core/config/family/model_family.h"

namespace vqscope {

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

}  // namespace vqscope
