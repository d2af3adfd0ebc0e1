// SPDX-License-Identifier: GPL-3.0-or-later
// Notes of people on cells of a page's matrix.
#pragma once

#include "core/base/index.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// A text pinned to a cell of the matrix of one method. It stays while the matrix is smaller.
struct CellNote {
  std::string method;  ///< id
  Index row = 0;
  Index col = 0;
  std::string text;
  friend bool operator==(const CellNote&, const CellNote&) = default;
};

inline constexpr std::size_t most_cell_notes = 256;     ///< of a page
inline constexpr std::size_t longest_cell_note = 4096;  ///< bytes

/// The text of a cell's note; empty: it has none.
std::string note_at(std::span<const CellNote> notes, std::string_view method, Index row, Index col);

/// The notes with this one in the place of an earlier one on its cell; an empty text removes that.
/// The text is trimmed, and shortened to the longest that a session keeps.
std::vector<CellNote> with_note(std::vector<CellNote> notes, CellNote note);

/// Those of one method, by row and column.
std::vector<CellNote> notes_of(std::span<const CellNote> notes, std::string_view method);

}  // namespace vqscope
