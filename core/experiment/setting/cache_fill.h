// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/setting/vq_setting.h"

#include <memory>

namespace vqscope {

/// Content of the cache for every code after every block: [blocks, n_code].
struct CacheFill {
  Index blocks = 0;
  Index n_code = 0;
  std::vector<double> counts;   ///< n_s
  std::vector<double> lengths;  ///< |μ_s|, norm of the mean value

  std::size_t place(Index block, Index code) const { return static_cast<std::size_t>(block * n_code + code); }
};

Index cache_blocks(const VqSetting& setting);

/// Samples or reads the tokens, learns and counts. The only error is cancellation.
Result<CacheFill> fill_cache(const VqSetting& setting, const Work& work = {});

/// The same, computed once for all values that differ only in what they show.
Result<std::shared_ptr<const CacheFill>> shared_cache_fill(const ParameterValues& values, const VqSetting& setting,
                                                           const Work& work);

/// Parameters of the cache: those of the setting, and `filled`.
std::vector<ParameterSpec> cache_parameters();
/// `filled`, from 1 to the number of blocks.
std::vector<ParameterSpec> filled_parameter(const ParameterValues& values);
/// Refuses what check_vq refuses, and more blocks times codes than fit in most_vq_bytes.
Result<void> check_cache(const ParameterValues& values);

}  // namespace vqscope
