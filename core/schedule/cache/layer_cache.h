// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/curve_set.h"
#include "core/method/parameter.h"
#include "core/schedule/layer_schedule.h"

namespace vqscope {

// Bytes that the layers of a model keep of a sequence while they decode.

/// How numbers are kept, and of how many sequences.
struct CacheUse {
  Index bits = 16;  ///< of a number
  Index batch = 1;
};

/// Numbers that the layer keeps for a token: key and value of every head, or one latent vector; 0
/// of a layer without a cache of its own, of a state, and where sizes are not known.
Index cached_numbers(const ModelLayer& layer);

/// Tokens of a sequence that the layer keeps: all, those of its window or chunk, or the window and
/// an entry for each `compress_ratio` tokens; 0 without a cache of its own. The entries of an
/// indexer are not among them.
Index cached_tokens(const ModelLayer& layer, Index tokens);

/// Whether cached_numbers and state_numbers describe the whole cache of the layer.
bool knows_cache(const ModelLayer& layer);

/// Layers of which that is not so.
Index unknown_caches(const LayerSchedule& schedule);

/// Bytes of the layer's cache and state at `tokens` tokens. Exact below 2^53.
double cache_bytes(const ModelLayer& layer, Index tokens, const CacheUse& use);
double cache_bytes(const LayerSchedule& schedule, Index tokens, const CacheUse& use);

/// The same layers without windows, chunks, compression and indexers.
LayerSchedule all_full(LayerSchedule schedule);

/// No sequence is longer.
inline constexpr Index longest_cached = Index{1} << 31;

/// The largest number of tokens whose cache takes at most `budget` bytes: 0 if one takes more,
/// longest_cached if all fit. Counted in integers.
Index most_cached_tokens(const LayerSchedule& schedule, double budget, const CacheUse& use);

// Shared parameters of the methods about caches, and the longest sequence in their curves.

/// `dtype`, `batch`, `memory`, `weights`, `length_max`.
std::vector<ParameterSpec> layer_cache_parameters();

/// Refuses weights that leave no memory.
Result<void> check_cache_memory(const ParameterValues& values);

CacheUse cache_use(const ParameterValues& values);

/// Bytes of `memory` without `weights`.
double free_memory(const ParameterValues& values);

/// Bytes of caches against tokens, 64, 128, … up to length_max, that included; without a curve.
CurveSet cache_axes(const ParameterValues& values, std::string formula);

void add_cache_curve(CurveSet& set, std::string name, const LayerSchedule& schedule, const CacheUse& use);

/// The longest sequence that fits, and further facts.
struct CacheFit {
  Index most = 0;         ///< tokens, as most_cached_tokens has it
  double at_longest = 0;  ///< bytes at length_max
};

/// Adds the level of the free memory and the mark of the longest sequence.
void add_cache_fit(CurveSet& set, const ParameterValues& values, Index most);

/// "2097152 tokens need 256 GiB; 80 GiB hold 655360 tokens".
std::string cache_fit_text(const ParameterValues& values, const CacheFit& fit);

}  // namespace vqscope
