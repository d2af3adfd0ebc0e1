// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/setting/vq_setting.h"

#include <memory>

namespace vqscope {

/// What the cache holds of every code after every block: [blocks, n_code].
struct CacheFill {
  Index blocks = 0;
  Index n_code = 0;
  std::vector<double> counts;   ///< n_s
  std::vector<double> lengths;  ///< |μ_s| of the means of values

  std::size_t place(Index block, Index code) const { return static_cast<std::size_t>(block * n_code + code); }
};

Index cache_blocks(const VqSetting& setting);

/// Draws or takes the tokens, learns and counts. The one error is that work was stopped.
Result<CacheFill> fill_cache(const VqSetting& setting, const Work& work = {});

/// The same once for all who ask with the same values but for what is shown of it.
Result<std::shared_ptr<const CacheFill>> shared_cache_fill(const ParameterValues& values, const VqSetting& setting,
                                                           const Work& work);

/// The knobs of the cache: those of the setting, and `filled`.
std::vector<ParameterSpec> cache_parameters();
/// `filled`, 1 to the number of blocks that the values make.
std::vector<ParameterSpec> filled_parameter(const ParameterValues& values);
/// Refuses what check_vq does, and more blocks by codes than most_vq_bytes hold.
Result<void> check_cache(const ParameterValues& values);

}  // namespace vqscope
