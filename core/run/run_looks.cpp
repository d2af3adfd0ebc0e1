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

bool look_flag(const ConfigValue& object, std::string_view name, bool otherwise) {
  const auto* value = object.find(name);
  return value && value->boolean() ? *value->boolean() : otherwise;
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

/// Calls `add` with each item of a list; does nothing if the file has no such list.
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
  JsonArray marks, levels, segments;
  for (const auto& mark : curves.marks) marks.emplace_back(JsonObject{{"x", mark.x}, {"label", mark.label}});
  for (const auto& level : curves.levels) levels.emplace_back(JsonObject{{"y", level.y}, {"label", level.label}});
  for (const auto& part : curves.segments)
    segments.emplace_back(JsonObject{{"from", part.from}, {"to", part.to}, {"label", part.label}});
  if (!curves.x_title.empty()) object.emplace("x_title", curves.x_title);
  if (!marks.empty()) object.emplace("marks", marks);
  if (!levels.empty()) object.emplace("levels", levels);
  if (!segments.empty()) object.emplace("stretches", segments);
  if (curves.published) object.emplace("published", published_json(*curves.published));
  const auto name = [&](std::size_t curve) { return curves.curves[curve].name; };
  JsonArray bands;
  for (const auto& band : curves.bands)
    bands.emplace_back(
        JsonObject{{"of", name(band.of)}, {"least", name(band.least)}, {"greatest", name(band.greatest)}});
  if (!curves.formula.empty()) object.emplace("formula", curves.formula);
  if (curves.steps) object.emplace("steps", true);
  if (curves.integer) object.emplace("integer", true);
  if (!curves.exact) object.emplace("exact", false);
  if (!curves.x_names.empty()) object.emplace("x_names", JsonArray(curves.x_names.begin(), curves.x_names.end()));
  if (curves.names_at_points) object.emplace("names_at_points", true);
  if (curves.principal) object.emplace("principal", name(*curves.principal));
  if (!bands.empty()) object.emplace("bands", bands);
}

void RunLooks::apply_to(CurveSet& set) const {
  const auto place = [&](const std::string& name) -> std::optional<std::size_t> {
    const auto found = std::ranges::find(set.curves, name, &Curve::name);
    if (found == set.curves.end()) return std::nullopt;
    return static_cast<std::size_t>(found - set.curves.begin());
  };
  set.marks = marks;
  set.levels = levels;
  set.segments = segments;
  set.published = published;
  set.formula = formula;
  set.steps = steps;
  set.integer = integer;
  set.exact = exact;
  if (x_names.size() == set.x.size()) set.x_names = x_names;
  set.names_at_points = names_at_points;
  set.principal = principal.empty() ? std::nullopt : place(principal);
  for (const Band& band : bands) {
    const auto of = place(band.of), least = place(band.least), greatest = place(band.greatest);
    if (of && least && greatest) set.bands.push_back({*of, *least, *greatest});
  }
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
    if (from <= to) looks.segments.push_back({from, to, look_text(item, "label")});
  });
  looks.formula = look_text(json, "formula");
  looks.steps = look_flag(json, "steps", false);
  looks.integer = look_flag(json, "integer", false);
  looks.exact = look_flag(json, "exact", true);
  each_look(json, "x_names", [&](const ConfigValue& item) {
    if (item.text()) looks.x_names.push_back(*item.text());
  });
  looks.names_at_points = look_flag(json, "names_at_points", false);
  looks.principal = look_text(json, "principal");
  each_look(json, "bands", [&](const ConfigValue& item) {
    looks.bands.push_back({look_text(item, "of"), look_text(item, "least"), look_text(item, "greatest")});
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
  std::erase_if(common.segments, [&](const CurveSegment& a) {
    return std::ranges::none_of(other.segments,
                                [&](const auto& b) { return a.from == b.from && a.to == b.to && a.label == b.label; });
  });
  common.steps = common.steps && other.steps;
  common.integer = common.integer && other.integer;
  common.exact = common.exact && other.exact;
  common.names_at_points = common.names_at_points && other.names_at_points;
  if (common.x_names != other.x_names) common.x_names.clear();
  if (common.published && (!other.published || other.published->source != common.published->source))
    common.published.reset();
}

}  // namespace vqscope
