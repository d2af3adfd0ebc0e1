// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/setting/vq_setting.h"
#include "core/field/field.h"

#include <memory>

namespace vqscope {

/// Quantity to show for a code in the cache.
enum class CacheQuantity {
  count,      ///< n_s: number of keys with the code
  bias,       ///< ln n_s, which is added to the score; NaN for an empty code, which is not visible
  mean_value  ///< |μ_s|: norm of the mean value; NaN for an empty code
};

/// [blocks, n_code] float32, row n with the keys of blocks 0, ..., n in the cache. Samples, learns
/// and counts when it is prepared or the first cell is read.
std::shared_ptr<const Field> make_vq_cache(const VqSetting& setting, CacheQuantity quantity);

}  // namespace vqscope
