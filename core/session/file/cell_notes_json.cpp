// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/file/cell_notes_json.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

std::optional<Index> place_at(const Members& members, const char* key) {
  const ConfigValue* json = member(members, key);
  const auto number = json ? json->number() : std::nullopt;
  if (!number || !(*number >= 0 && *number < 0x1p53) || *number != std::floor(*number)) return {};
  return static_cast<Index>(*number);
}

std::string note_text_at(const Members& members, const char* key) {
  const ConfigValue* json = member(members, key);
  return json && json->text() ? *json->text() : std::string();
}

}  // namespace

JsonValue cell_notes_json(const PageState& page, const Subject&) {
  JsonArray list;
  for (const auto& note : page.notes)
    list.push_back(JsonObject{{"method", note.method}, {"row", note.row}, {"col", note.col}, {"text", note.text}});
  return list.empty() ? JsonValue() : JsonValue(std::move(list));
}

void read_cell_notes(PageReader& reader, const std::string& key, const ConfigValue& json) {
  if (!json.list()) return reader.refuse(key, json, "a list of notes on cells", "it was left out");
  for (const auto& item : *json.list()) {
    const Members members = item.object() ? members_of(item) : Members();
    const auto row = place_at(members, "row"), col = place_at(members, "col");
    CellNote note{note_text_at(members, "method"), row.value_or(0), col.value_or(0), note_text_at(members, "text")};
    if (!row || !col || std::ranges::count(reader.info.fields, note.method) == 0)
      reader.note("a note must have a method of the page, and a row and a column from 0 on; it was left out");
    else if (reader.page.notes.size() == most_cell_notes)
      return reader.note(fmt::format("there are more than {} notes; the others were left out", most_cell_notes));
    else
      reader.page.notes = with_note(std::move(reader.page.notes), std::move(note));
  }
}

}  // namespace vqscope
