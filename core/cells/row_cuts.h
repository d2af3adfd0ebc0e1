// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cells/band.h"

#include <array>

namespace vqscope {

/// The first and the last of some rows, and those at which one of at most four ends begins or stops to move or meets a
/// standing end of another. Between two of them each end is straight, and no two change sides.
class RowCuts {
 public:
  RowCuts(std::span<const Ramp> ramps, Range rows) {
    assert(ramps.size() <= most_ramps);
    add(rows.begin);
    add(rows.end);
    for (const Ramp& moving : ramps) {
      if (moving.is_constant()) continue;
      for (const Ramp& other : ramps)
        for (const Index value : {other.low, other.high}) {
          const Index q = value - moving.offset;
          if (rows.begin < q && q < rows.end) add(q);
        }
    }
    std::sort(m_rows.begin(), m_rows.begin() + m_size);
  }

  /// Calls visit(rows) for the stretches between the cuts.
  template <class Visit>
  void for_each_piece(const Visit& visit) const {
    for (std::size_t i = 0; i + 1 < static_cast<std::size_t>(m_size); ++i)
      if (const Range piece{m_rows[i], m_rows[i + 1]}; piece.size() > 0) visit(piece);
  }

 private:
  static constexpr std::size_t most_ramps = 4;

  void add(Index q) { m_rows[static_cast<std::size_t>(m_size++)] = q; }

  std::array<Index, 2 + 2 * most_ramps * most_ramps> m_rows{};
  int m_size = 0;
};

}  // namespace vqscope
