// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/cache/layer_cache.h"

#include <algorithm>

namespace vqscope {
namespace {

/// 2^31 tokens of 4096 layers with 2^33 numbers each leave 64 bits.
__extension__ using Wide = unsigned __int128;

/// Entries that the indexer keeps: one for each compressed entry, or for each group of tokens, a begun one included.
Index indexed(const ModelLayer& layer, Index tokens) {
  if (layer.attention == LayerAttention::compressed) return tokens / layer.compress_ratio;
  const Index pool = std::max<Index>(layer.index_pool, 1);
  return (tokens + pool - 1) / pool;
}

Wide numbers_kept(const ModelLayer& layer, Index tokens) {
  const Index state = layer.attention == LayerAttention::state ? layer.state_numbers : 0;
  const Index indexes = selects_keys(layer) ? layer.index_dim : 0;
  return static_cast<Wide>(cached_numbers(layer)) * static_cast<Wide>(cached_tokens(layer, tokens)) +
         static_cast<Wide>(indexes) * static_cast<Wide>(indexed(layer, tokens)) + static_cast<Wide>(state);
}

Wide numbers_kept(const LayerSchedule& schedule, Index tokens) {
  Wide sum = 0;
  for (const ModelLayer& layer : schedule.layers) sum += numbers_kept(layer, tokens);
  return sum;
}

double bytes_of(Wide numbers, const CacheUse& use) {
  return static_cast<double>(numbers) * static_cast<double>(use.bits) * static_cast<double>(use.batch) / 8;
}

bool has_cache(const ModelLayer& layer) {
  const bool attends = layer.attention != LayerAttention::state && layer.attention != LayerAttention::none;
  return attends && layer.shares_kv_with < 0;
}

}  // namespace

Index cached_numbers(const ModelLayer& layer) {
  if (!has_cache(layer)) return 0;
  if (layer.latent > 0) return layer.latent;
  return layer.num_key_value_heads * (layer.head_dim + (layer.v_head_dim > 0 ? layer.v_head_dim : layer.head_dim));
}

Index cached_tokens(const ModelLayer& layer, Index tokens) {
  if (!has_cache(layer)) return 0;
  if (layer.attention == LayerAttention::compressed)
    return std::min(tokens, layer.window) + tokens / layer.compress_ratio;
  const bool all = layer.window == 0 || layer.attention == LayerAttention::sparse;
  return all ? tokens : std::min(tokens, layer.window);
}

bool knows_cache(const ModelLayer& layer) {
  if (layer.attention == LayerAttention::state) return layer.state_numbers > 0;
  return !has_cache(layer) || cached_numbers(layer) > 0;
}

Index unknown_caches(const LayerSchedule& schedule) {
  return std::ranges::count_if(schedule.layers, [](const ModelLayer& layer) { return !knows_cache(layer); });
}

double cache_bytes(const ModelLayer& layer, Index tokens, const CacheUse& use) {
  return bytes_of(numbers_kept(layer, tokens), use);
}

double cache_bytes(const LayerSchedule& schedule, Index tokens, const CacheUse& use) {
  return bytes_of(numbers_kept(schedule, tokens), use);
}

LayerSchedule all_full(LayerSchedule schedule) {
  for (ModelLayer& layer : schedule.layers) {
    if (layer.attention == LayerAttention::state || layer.attention == LayerAttention::none) continue;
    layer.attention = LayerAttention::full;
    layer.window = layer.compress_ratio = layer.topk = layer.topk_block = layer.index_dim = layer.index_pool = 0;
    layer.index_pairs.reset();
  }
  return schedule;
}

Index most_cached_tokens(const LayerSchedule& schedule, double budget, const CacheUse& use) {
  constexpr double widest = 0x1p100;  // more than any cache takes, and a whole number of Wide
  if (!(budget >= 0)) return 0;
  const Wide bits = static_cast<Wide>(std::min(budget, widest) * 8);
  const auto fits = [&](Index tokens) {
    return numbers_kept(schedule, tokens) * static_cast<Wide>(use.bits) * static_cast<Wide>(use.batch) <= bits;
  };
  Index most = 0, fails = longest_cached + 1;
  while (fails - most > 1) {
    const Index middle = most + (fails - most) / 2;
    (fits(middle) ? most : fails) = middle;
  }
  return most;
}

}  // namespace vqscope
