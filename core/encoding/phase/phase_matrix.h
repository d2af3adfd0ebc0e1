// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding/phase/turns.h"
#include "core/sequence/sequence_layout.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace vqscope {

/// The function of the angle position · rate + offset that a cell shows.
enum class PhaseQuantity {
  phase,         ///< in [0, 2π)
  signed_phase,  ///< in (-π, π], for differences
  cos,
  sin
};

/// Consecutive rows whose positions ascend by 1, or are all the same (padding).
struct PositionRun {
  Index position = 0;
  Index count = 0;
  bool constant = false;
};

/// Calls take(run) for the rows of `rows`, in order. `runs` cover them.
template <class Take>
void for_each_position_run(std::span<const TokenRun> runs, Range rows, const Take& take) {
  auto run = std::upper_bound(runs.begin(), runs.end(), rows.begin,
                              [](Index row, const TokenRun& each) { return row < each.tokens.end; });
  for (; run != runs.end() && run->tokens.begin < rows.end; ++run) {
    const Index begin = std::max(rows.begin, run->tokens.begin);
    take(PositionRun{run->position(begin), std::min(rows.end, run->tokens.end) - begin, !run->valid});
  }
}

struct PhaseMatrix {
  std::vector<TokenRun> rows;         ///< positions of the rows
  std::vector<Turns> rates;           ///< turns a position, by pair
  std::vector<Turns> offsets = {};    ///< angle at position 0, by pair; empty: 0
  std::vector<std::int32_t> columns;  ///< the pair of each column; -1: not rotated, cos 1 and sin 0
  PhaseQuantity quantity = PhaseQuantity::phase;
  double amplitude = 1;  ///< factor of rotated cos and sin

  Turns angle(Index position, std::size_t pair) const {
    return static_cast<Turns>(position) * rates[pair] + (offsets.empty() ? 0 : offsets[pair]);
  }
};

}  // namespace vqscope
