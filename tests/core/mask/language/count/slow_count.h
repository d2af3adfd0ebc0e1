// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"

#include <cstdint>

namespace vqscope::test {

/// The visible cells of a rectangle, one by one.
inline std::uint64_t slow_count(const Mask& mask, const Rect& cells) {
  std::uint64_t count = 0;
  for (Index q = cells.rows.begin; q < cells.rows.end; ++q)
    for (Index kv = cells.cols.begin; kv < cells.cols.end; ++kv) count += mask.visible(q, kv) ? 1 : 0;
  return count;
}

}  // namespace vqscope::test
