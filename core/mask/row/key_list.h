// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/row/row_report.h"

namespace vqscope {

enum class KeyFilter { all, visible, masked };

/// Some keys of a row, counted from 0. Its memory is that of the row's intervals, whatever the number of keys.
class KeyList {
 public:
  KeyList() = default;
  KeyList(const RowReport& row, KeyFilter filter);

  Index size() const { return m_size; }
  /// `place` in [0, size()).
  Index at(Index place) const;
  /// Where the key stands; where it would, if it is not among them: size() behind the last.
  Index place_of(Index key) const;
  bool has(Index key) const;

 private:
  struct Piece {
    Range keys;
    Index place = 0;  ///< of its first key
  };

  void add(Range keys);

  std::vector<Piece> m_pieces;
  Index m_size = 0;
};

}  // namespace vqscope
