// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/row/key_list.h"

namespace vqscope {

KeyList::KeyList(const RowReport& row, KeyFilter filter) {
  if (filter == KeyFilter::all) {
    add({0, row.keys});
    return;
  }
  Index end = 0;
  for (const Range& range : row.visible) {
    add(filter == KeyFilter::visible ? range : Range{end, range.begin});
    end = range.end;
  }
  if (filter == KeyFilter::masked) add({end, row.keys});
}

void KeyList::add(Range keys) {
  if (keys.size() == 0) return;
  m_pieces.push_back({keys, m_size});
  m_size += keys.size();
}

Index KeyList::at(Index place) const {
  assert(0 <= place && place < m_size);
  const auto& piece = *std::prev(std::ranges::upper_bound(m_pieces, place, {}, &Piece::place));
  return piece.keys.begin + (place - piece.place);
}

Index KeyList::place_of(Index key) const {
  const auto ends = [](const Piece& piece) { return piece.keys.end; };
  const auto piece = std::ranges::upper_bound(m_pieces, key, {}, ends);
  return piece == m_pieces.end() ? m_size : piece->place + std::max<Index>(0, key - piece->keys.begin);
}

bool KeyList::has(Index key) const {
  const Index place = place_of(key);
  return place < m_size && at(place) == key;
}

}  // namespace vqscope
