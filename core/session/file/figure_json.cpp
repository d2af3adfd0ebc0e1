// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/file/figure_json.h"

#include "core/base/sentence.h"
#include "core/base/text.h"
#include "core/method/value_json.h"

#include <cmath>
#include <limits>
#include <utility>

namespace vqscope {
namespace {

/// Calls `act` with the key and the member of everything that a file keeps.
template <class Spec, class Act>
void for_members(Spec& spec, const Act& act) {
  act("width", spec.width);
  act("height", spec.height);
  act("dpi", spec.dpi);
  act("font", spec.font);
  act("font_size", spec.font_size);
  act("title", spec.title);
  act("legend", spec.legend);
  act("axes", spec.axes);
  act("colour_bar", spec.colour_bar);
  act("dark", spec.dark);
  act("rows", spec.rows);
  act("cols", spec.cols);
}

/// Whether the value has the kind of the member, which then takes it.
bool take(const ConfigValue& json, double& value) {
  const auto number = json.number();
  if (number) value = *number;
  return number.has_value();
}
bool take(const ConfigValue& json, int& value) {
  const auto number = json.number();
  const bool fits = number && std::abs(*number) <= std::numeric_limits<int>::max() && *number == std::floor(*number);
  if (fits) value = static_cast<int>(*number);
  return fits;
}
bool take(const ConfigValue& json, bool& value) {
  if (json.boolean()) value = *json.boolean();
  return json.boolean() != nullptr;
}
bool take(const ConfigValue& json, std::string& value) {
  if (json.text()) value = *json.text();
  return json.text() != nullptr;
}

/// `owner`: in errors.
Result<FigureSpec> spec_in(const ConfigValue& json, const std::string& owner) {
  FigureSpec spec;
  Result<void> read;
  for_members(spec, [&](const char* key, auto& value) {
    const ConfigValue* member = json.find(key);
    if (read && member && !take(*member, value))
      read = invalid("{} of {} is {}, which it cannot be", key, owner, member->shown());
  });
  if (!read) return read.error();
  return spec;
}

Result<FigurePreset> preset_in(const ConfigValue& json) {
  FigurePreset preset;
  const ConfigValue* name = json.find("name");
  if (!name || !take(*name, preset.name)) return invalid("a preset of figures must have a name");
  auto spec = spec_in(json, "the preset " + shortened(preset.name));
  if (!spec) return spec.error();
  preset.spec = std::move(*spec);
  return preset;
}

}  // namespace

JsonObject figure_json(const FigureSpec& spec) {
  JsonObject object;
  for_members(spec, [&](const char* key, const auto& value) { object.emplace(key, value); });
  return object;
}

JsonArray figures_json(const std::vector<FigurePreset>& presets) {
  JsonArray list;
  for (const FigurePreset& preset : presets) {
    JsonObject object = figure_json(preset.spec);
    object.emplace("name", preset.name);
    list.emplace_back(std::move(object));
  }
  return list;
}

std::optional<FigureSpec> read_figure(const ConfigValue& root, Notes& notes) {
  const ConfigValue* json = root.find("figure");
  if (!json) return std::nullopt;
  const auto spec = spec_in(*json, "the figure");
  const auto checked = spec ? check_figure(*spec) : Result<void>(spec.error());
  if (checked) return *spec;
  notes.push_back(checked.error().message + "; it was left out");
  return std::nullopt;
}

void read_figures(const ConfigValue& root, std::vector<FigurePreset>& presets, Notes& notes) {
  const ConfigValue* json = root.find("figures");
  if (!json) return;
  if (!json->list()) return notes.push_back(wrong_json("figures", *json, "a list of objects").message);
  for (const ConfigValue& item : *json->list()) {
    auto preset = preset_in(item);
    auto with = presets;
    if (preset) with.push_back(*preset);
    const auto checked = preset ? check_presets(with) : Result<void>(preset.error());
    if (!checked)
      notes.push_back(checked.error().message + "; it was left out");
    else
      presets = std::move(with);
  }
}

}  // namespace vqscope
