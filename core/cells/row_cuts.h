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
  }

  /// Calls visit(rows) for the segments between the cuts.
  template <class Visit>
  void for_each_piece(const Visit& visit) const {
    for (std::size_t i = 0; i + 1 < m_size; ++i) visit(Range{m_rows[i], m_rows[i + 1]});
  }

 private:
  static constexpr std::size_t most_ramps = 4;

  /// Keeps them sorted, each once: mostly they are the same few.
  void add(Index q) {
    std::size_t at = m_size;
    while (at > 0 && m_rows[at - 1] > q) --at;
    if (at > 0 && m_rows[at - 1] == q) return;
    std::copy_backward(m_rows.begin() + at, m_rows.begin() + m_size, m_rows.begin() + m_size + 1);
    m_rows[at] = q;
    ++m_size;
  }

  std::array<Index, 2 + 2 * most_ramps * most_ramps> m_rows;  ///< the first m_size
  std::size_t m_size = 0;
};

}  // namespace vqscope
