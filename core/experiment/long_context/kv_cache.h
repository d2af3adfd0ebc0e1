// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/schedule/layer_schedule.h"

#include <span>
#include <string_view>

namespace vqscope {

/// The cache of a model for every token while it decodes.
struct CachedModel {
  std::string_view id;
  std::string_view name;
  Index layers = 1;
  Index kv_heads = 1;
  Index head_dim = 1;
  Index full_layers = 1;  ///< layers that keep every token; the others keep `window` tokens
  Index window = 0;       ///< 0: all layers keep every token
  Index heads = 1;        ///< query heads
  bool latent = false;    ///< one vector of head_dim numbers instead of a key and a value (MLA)

  /// Its layers, those with a window first; what a cache takes follows from them
  /// (core/schedule/cache).
  LayerSchedule schedule() const;
};

/// Published models, from their papers and config.json files.
std::span<const CachedModel> cached_models();

}  // namespace vqscope
