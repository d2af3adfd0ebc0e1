// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/memory/infini_setting.h"

#include <array>

namespace vqscope {

/// Quantity of the memory to show.
enum class MemoryQuantity { matrix, normalised, change };

/// The memory after every segment.
struct MemoryStates {
  Index d_k = 0, d_v = 0;
  std::vector<float> matrices;      ///< [segments, d_k, d_v]
  std::vector<float> normalisers;   ///< [segments, d_k]
  std::array<double, 3> largest{};  ///< largest |cell| of all segments, by MemoryQuantity, for a fixed colour scale

  double cell(Index segment, Index row, Index col) const {
    if (segment < 0) return 0;
    return static_cast<double>(matrices[static_cast<std::size_t>((segment * d_k + row) * d_v + col)]);
  }
  double normaliser(Index segment, Index row) const {
    return static_cast<double>(normalisers[static_cast<std::size_t>(segment * d_k + row)]);
  }
  double shown(MemoryQuantity quantity, Index segment, Index row, Index col) const {
    const double now = cell(segment, row, col);
    if (quantity == MemoryQuantity::matrix) return now;
    return quantity == MemoryQuantity::change ? now - cell(segment - 1, row, col) : now / normaliser(segment, row);
  }
};

/// Stores all segments. The only error is cancellation.
Result<MemoryStates> fill_memory(const MemorySetting& setting, InfiniRule rule, const Work& work = {});

}  // namespace vqscope
