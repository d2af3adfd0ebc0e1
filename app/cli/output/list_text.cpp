// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/list_text.h"

#include "core/base/text.h"
#include "core/catalogue/survey/survey.h"
#include "core/method/value_json.h"

#include <algorithm>
#include <cctype>

namespace vqscope {
namespace {

using ListRow = std::vector<std::string>;

/// A line for each row. Each column is as wide as its widest text, except for the last.
std::string alignedLines(const std::vector<ListRow>& rows) {
  std::vector<std::size_t> widths;
  for (const ListRow& row : rows) {
    widths.resize(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const ListRow& row : rows) {
    for (std::size_t i = 0; i + 1 < row.size(); ++i)
      text += row[i] + std::string(widths[i] - row[i].size(), ' ') + "  ";
    text += row.back() + "\n";
  }
  return text;
}

std::string describe(const Method& method, const EncodingTraits& traits) {
  const SurveyRow* row = find_survey_row(method.id);
  std::string positions = row ? position_word(*row) : traits.relative ? "relative" : "absolute";
  positions.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(positions.front())));
  return "  " + positions + (traits.trainable ? ", trainable" : ", no learned parameters") +
         (traits.each_layer ? ", in each layer" : ", at the token embeddings") +
         ". Beyond the training length: " + traits.extrapolation + "\n";
}

/// Name and default, then help and valid values.
std::string describe(const ParameterSpec& spec) {
  std::string text = "    " + spec.name + " = " + format_value(spec.default_value) + "\n        " + spec.help + " " +
                     allowed(spec) + (spec.unit.empty() ? "" : " " + spec.unit);
  if (!spec.automatic.empty()) {
    const bool list = is_number_list(spec.kind);
    text += "; " + (list ? std::string("empty") : to_text(static_cast<Index>(spec.minimum))) + ": " + spec.automatic;
  }
  return text + "\n";
}

std::string describe(const RunRecipe& recipe) {
  std::string text;
  for (const auto& input : recipe.inputs)
    text += (input.file ? "    --set " + input.name + "=FILE" : "    --array " + input.name + "=TENSOR") +
            (input.required ? "" : "  (optional)") + "\n        " + input.help + "\n";
  for (const auto& output : recipe.outputs)
    text += "    --out FILE." + output.suffix + "\n        " + output.help + "\n";
  return text;
}

/// The method, or the configs.
std::string shownBy(const GalleryEntry& entry) {
  return entry.shown.method ? entry.shown.method->id : join(entry.configs, " ");
}

const char* name_of(GalleryCompare compare) {
  switch (compare) {
    case GalleryCompare::side_by_side: return "side_by_side";
    case GalleryCompare::difference: return "difference";
    case GalleryCompare::none: break;
  }
  return "none";
}

JsonObject entryToJson(const GalleryEntry& entry) {
  JsonObject json{{"id", entry.id},           {"title", entry.title},   {"note", entry.note},
                  {"try", entry.what_to_try}, {"source", entry.source}, {"page", entry.page}};
  if (!entry.configs.empty()) json.emplace("configs", entry.configs);
  if (!entry.shown.method) return json;
  json.emplace("method", entry.shown.method->id);
  json.emplace("values", json_of(entry.shown.values));
  json.emplace("compare", name_of(entry.compare));
  if (entry.compare != GalleryCompare::none) json.emplace("other", json_of(entry.other));
  if (!entry.expect.map().empty()) json.emplace("expect", json_of(entry.expect));
  return json;
}

}  // namespace

const char* kindOf(const Method& method) { return method.field() ? "matrix" : method.run() ? "run" : "curves"; }

std::string methodText(const Method& method) {
  std::string text =
      method.id + "  (" + method.category + ", " + kindOf(method) + ")\n  " + method.title + ": " + method.help + "\n";
  if (!method.citation.paper.empty()) text += "  Source: " + method.citation.paper + "\n";
  if (!method.citation.reference.empty()) text += "  Follows: " + method.citation.reference + "\n";
  if (method.traits) text += describe(method, *method.traits);
  if (const auto* run = method.run()) text += describe(*run);
  for (const auto& preset : experiment_presets())
    if (preset.experiment == &method) text += "  --preset " + preset.id + ": " + preset.title + "\n";
  for (const auto& spec : method.parameters) text += describe(spec);
  return text;
}

std::string methodLines(std::span<const Method* const> methods) {
  std::vector<ListRow> rows;
  for (const auto* method : methods) rows.push_back({method->id, method->category, kindOf(*method), method->title});
  return alignedLines(rows);
}

std::string presetLines(std::span<const ExperimentPreset* const> presets) {
  std::vector<ListRow> rows;
  for (const auto* preset : presets)
    rows.push_back({preset->id, preset->experiment->id, preset->title + (preset->quick ? "  (also :quick)" : "")});
  return alignedLines(rows);
}

std::string galleryLines() {
  std::vector<ListRow> rows;
  for (const GalleryEntry& entry : gallery_entries())
    rows.push_back({entry.id, entry.page, shownBy(entry), entry.title});
  return alignedLines(rows);
}

JsonArray galleryToJson() {
  JsonArray array;
  for (const GalleryEntry& entry : gallery_entries()) array.push_back(entryToJson(entry));
  return array;
}

}  // namespace vqscope
