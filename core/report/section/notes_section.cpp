// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/report/section/shown.h"

namespace vqscope {
namespace {

/// "visible", "masked by causal: …"; the value of other cells.
std::string state_of(const ReportShown& shown, const CellNote& note) {
  if (!shown.mask) return fmt::format("value {}", to_text(shown.field->at(note.row, note.col), 6));
  return shown.mask->visible(note.row, note.col) ? "visible" : shown.mask->why(note.row, note.col);
}

}  // namespace

std::vector<CellNote> shown_notes(const ReportShown& shown) {
  std::vector<CellNote> notes = notes_of(shown.page.notes, shown.method->id);
  const Extent extent = shown.field ? shown.field->extent() : Extent();
  std::erase_if(notes, [&](const CellNote& note) { return note.row >= extent.rows || note.col >= extent.cols; });
  return notes;
}

ReportSection notes_section(const ReportShown& shown) {
  ReportSection section{.title = "Notes"};
  for (const auto& note : shown_notes(shown)) {
    const std::string place = place_text(shown, {note.row, note.col});
    section.add(ReportNote{fmt::format("{} ({})", place, state_of(shown, note)), note.text});
  }
  return section;
}

}  // namespace vqscope
