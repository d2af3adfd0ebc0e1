// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/note/cell_note.h"

#include "core/base/text.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace vqscope {
namespace {

/// At most so many bytes, without half a character at the end.
std::string_view cut(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80) --end;
  return text.substr(0, end);
}

}  // namespace

std::string note_at(std::span<const CellNote> notes, std::string_view method, Index row, Index col) {
  for (const auto& note : notes)
    if (note.method == method && note.row == row && note.col == col) return note.text;
  return {};
}

std::vector<CellNote> with_note(std::vector<CellNote> notes, CellNote note) {
  // Once more behind the cut: a file gives back what it was given.
  note.text = trimmed(cut(trimmed(note.text), longest_cell_note));
  std::erase_if(notes, [&](const CellNote& each) {
    return each.method == note.method && each.row == note.row && each.col == note.col;
  });
  if (!note.text.empty()) notes.push_back(std::move(note));
  return notes;
}

std::vector<CellNote> notes_of(std::span<const CellNote> notes, std::string_view method) {
  std::vector<CellNote> own;
  std::ranges::copy_if(notes, std::back_inserter(own), [&](const CellNote& note) { return note.method == method; });
  std::ranges::stable_sort(own, {}, [](const CellNote& note) { return std::pair(note.row, note.col); });
  return own;
}

}  // namespace vqscope
