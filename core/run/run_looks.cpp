// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_looks.h"

#include <algorithm>

namespace vqscope {
namespace {

JsonValue published_json(const Published& published) {
  JsonArray series;
  for (const auto& one : published.series)
    series.emplace_back(JsonObject{{"name", one.name}, {"x", one.x}, {"y", one.y}});
  return JsonObject{{"source", published.source},
                    {"y_title", published.y_title},
                    {"trained_length", published.trained_length},
                    {"series", series}};
}

std::string look_text(const ConfigValue& object, std::string_view name) {
  const auto* value = object.find(name);
  return value && value->text() ? *value->text() : std::string();
}

double look_number(const ConfigValue& object, std::string_view name) {
  const auto* value = object.find(name);
  return value ? value->number().value_or(no_value) : no_value;
}

std::vector<double> look_numbers(const ConfigValue& object, std::string_view name) {
  std::vector<double> numbers;
  if (const auto* value = object.find(name); value && value->list())
    for (const auto& item : *value->list()) numbers.push_back(item.number().value_or(no_value));
  return numbers;
}

/// Calls `add` with each item of a list; nothing where the file has no such list.
template <typename Add>
void each_look(const ConfigValue& json, std::string_view name, const Add& add) {
  if (const auto* value = json.find(name); value && value->list())
    for (const auto& item : *value->list()) add(item);
}

std::optional<Published> read_published(const ConfigValue& json) {
  const auto* value = json.find("published");
  if (!value || !value->object()) return {};
  Published published;
  published.source = look_text(*value, "source");
  published.y_title = look_text(*value, "y_title");
  if (const double length = look_number(*value, "trained_length"); length > 0) published.trained_length = length;
  each_look(*value, "series", [&](const ConfigValue& item) {
    Published::Series one{look_text(item, "name"), look_numbers(item, "x"), look_numbers(item, "y")};
    if (one.x.size() == one.y.size() && !one.x.empty()) published.series.push_back(std::move(one));
  });
  if (published.series.empty()) return {};
  return published;
}

}  // namespace

void add_looks(JsonObject& object, const CurveSet& curves) {
  JsonArray marks, levels, stretches;
  for (const auto& mark : curves.marks) marks.emplace_back(JsonObject{{"x", mark.x}, {"label", mark.label}});
  for (const auto& level : curves.levels) levels.emplace_back(JsonObject{{"y", level.y}, {"label", level.label}});
  for (const auto& part : curves.stretches)
    stretches.emplace_back(JsonObject{{"from", part.from}, {"to", part.to}, {"label", part.label}});
  if (!curves.x_title.empty()) object.emplace("x_title", curves.x_title);
  if (!marks.empty()) object.emplace("marks", marks);
  if (!levels.empty()) object.emplace("levels", levels);
  if (!stretches.empty()) object.emplace("stretches", stretches);
  if (curves.published) object.emplace("published", published_json(*curves.published));
}

RunLooks read_looks(const ConfigValue& json) {
  RunLooks looks{.x_title = look_text(json, "x_title"), .published = read_published(json)};
  each_look(json, "marks", [&](const ConfigValue& item) {
    if (const double x = look_number(item, "x"); x == x) looks.marks.push_back({x, look_text(item, "label")});
  });
  each_look(json, "levels", [&](const ConfigValue& item) {
    if (const double y = look_number(item, "y"); y == y) looks.levels.push_back({y, look_text(item, "label")});
  });
  each_look(json, "stretches", [&](const ConfigValue& item) {
    const double from = look_number(item, "from"), to = look_number(item, "to");
    if (from <= to) looks.stretches.push_back({from, to, look_text(item, "label")});
  });
  return looks;
}

void keep_common(RunLooks& common, const RunLooks& other) {
  std::erase_if(common.marks, [&](const CurveMark& a) {
    return std::ranges::none_of(other.marks, [&](const auto& b) { return a.x == b.x && a.label == b.label; });
  });
  std::erase_if(common.levels, [&](const CurveLevel& a) {
    return std::ranges::none_of(other.levels, [&](const auto& b) { return a.y == b.y && a.label == b.label; });
  });
  std::erase_if(common.stretches, [&](const CurveStretch& a) {
    return std::ranges::none_of(other.stretches,
                                [&](const auto& b) { return a.from == b.from && a.to == b.to && a.label == b.label; });
  });
  if (common.published && (!other.published || other.published->source != common.published->source))
    common.published.reset();
}

}  // namespace vqscope
