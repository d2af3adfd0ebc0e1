// SPDX-License-Identifier: GPL-3.0-or-later
// Shared parameters of the methods about caches, and the longest sequence in their curves.
#pragma once

#include "core/method/curve_set.h"
#include "core/method/parameter.h"
#include "core/schedule/cache/layer_cache.h"

namespace vqscope {

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
