// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/workspace_json.h"

#include "core/base/text.h"
#include "core/mask/free_name.h"
#include "widgets/file_name.h"
#include "widgets/paint/colour_map.h"
#include "widgets/session/json_reading.h"
#include "widgets/session/parameter_json.h"

#include <QJsonArray>

#include <algorithm>
#include <array>
#include <cmath>

namespace vqscope {
namespace {

/// In the enum's order.
const std::vector<std::string>& compareNames() {
  static const std::vector<std::string> all{"none", "side_by_side", "difference"};
  return all;
}

template <class T>
QString nameOf(const std::vector<std::string>& names, T value) {
  return QString::fromStdString(names[static_cast<std::size_t>(value)]);
}

template <class T>
Result<void> readName(const QJsonObject& object, const char* key, const std::vector<std::string>& names, T& value) {
  const QJsonValue json = object[QLatin1String(key)];
  if (json.isUndefined()) return {};
  const auto found = std::ranges::find(names, bytesOf(json.toString()));
  if (!json.isString() || found == names.end()) return wrongJson(key, json, "one of " + join(names, ", "));
  value = static_cast<T>(found - names.begin());
  return {};
}

constexpr double farthestCell = 0x1p34;  // beyond every matrix

Result<void> readSide(const QJsonObject& view, const char* key, double& first, double& last) {
  const QJsonArray ends = view[QLatin1String(key)].toArray();
  first = ends.at(0).toDouble(std::nan(""));
  last = ends.at(1).toDouble(std::nan(""));
  const bool near = std::abs(first) <= farthestCell && std::abs(last) <= farthestCell;
  if (ends.size() == 2 && near && first < last) return {};
  return wrongJson("view." + std::string(key), view[QLatin1String(key)], "two ascending numbers of cells");
}

Result<void> readView(const QJsonValue& json, std::optional<ViewRange>& view) {
  if (json.isUndefined() || json.isNull()) return {};
  if (!json.isObject()) return wrongJson("view", json, "an object");
  const QJsonObject object = json.toObject();
  if (auto known = checkKeys(object, {"rows", "cols"}); !known) return known;
  ViewRange range;
  if (auto rows = readSide(object, "rows", range.row_first, range.row_last); !rows) return rows;
  if (auto cols = readSide(object, "cols", range.col_first, range.col_last); !cols) return cols;
  view = range;
  return {};
}

Result<void> readAxes(const QJsonValue& json, const WorkspaceInfo& info, std::map<std::string, CurveAxes>& axes) {
  if (json.isUndefined()) return {};
  if (!json.isObject()) return wrongJson("axes", json, "an object");
  const QJsonObject object = json.toObject();
  if (auto known = checkKeys(object, info.curves); !known) return known;
  for (auto each = object.begin(); each != object.end(); ++each) {
    const QJsonArray logarithmic = each.value().toArray();
    if (logarithmic.size() != 2 || !logarithmic.at(0).isBool() || !logarithmic.at(1).isBool())
      return wrongJson("axes." + each.key().toStdString(), each.value(), "[log_x, log_y], each true or false");
    axes[each.key().toStdString()] = {logarithmic.at(0).toBool(), logarithmic.at(1).toBool()};
  }
  return {};
}

Result<void> readAppearance(const QJsonObject& object, WorkspaceState& state) {
  if (auto read = readName(object, "compare", compareNames(), state.compare); !read) return read;
  if (auto read = readName(object, "aggregate", aggregateNames(), state.aggregate); !read) return read;
  if (auto read = readText(object, "colour_map", state.colour_map); !read) return read;
  if (!state.colour_map.empty() && !findColourMap(state.colour_map))
    return wrongJson("colour_map", object["colour_map"], "a colour map's id, or empty for the fitting one");
  if (auto read = readView(object["view"], state.view); !read) return read;
  const QJsonValue aspect = object["keep_aspect"];
  if (aspect.isUndefined()) return {};
  if (!aspect.isBool()) return wrongJson("keep_aspect", aspect, "true or false");
  state.keep_aspect = aspect.toBool();
  return {};
}

/// Sessions of a time when the free names of a mask's text stood among ours: each is under a key of its own now.
QJsonObject withFreeNames(QJsonObject given, std::span<const ParameterSpec> specs) {
  QStringList taken;
  for (const auto& spec : specs) {
    const std::string_view free = free_name_of(spec.name);
    const QString key = jsonText(spec.name);
    if (free.empty() || given.contains(key) || !given.contains(jsonText(free))) continue;
    const QJsonValue value = given.value(jsonText(free));
    given.insert(key, value);
    if (!find_spec(specs, free)) taken << jsonText(free);
  }
  for (const auto& name : taken) given.remove(name);
  return given;
}

/// What values bring along is known once they are read.
Result<void> readSideValues(const QJsonValue& json, const char* name, const WorkspaceInfo& info,
                            ParameterValues& values) {
  const auto fixed = workspaceParameters(info);
  QJsonObject known;
  const QJsonObject given = json.toObject();
  for (auto each = given.begin(); each != given.end(); ++each)
    if (find_spec(fixed, each.key().toStdString())) known[each.key()] = each.value();
  if (json.isObject())
    if (auto read = readValues(known, name, fixed, values); !read) return read;
  const auto all = workspaceParameters(info, values);
  values = completed_values(all, values, fixed);
  return readValues(json.isObject() ? QJsonValue(withFreeNames(given, all)) : json, name, all, values);
}

Result<void> readMethod(const QJsonObject& object, const WorkspaceInfo& info, std::string& method) {
  if (auto read = readText(object, "method", method); !read) return read;
  const auto& choices = info.choices();
  if (choices.empty()) return {};
  if (info.fields.empty() && method.empty())
    method = choices.front();  // of sessions when pages showed all their curves
  if (std::ranges::count(choices, method) > 0) return {};
  return invalid("unknown method " + shortened(method) + did_you_mean(method, choices));
}

}  // namespace

QJsonObject workspaceToJson(const WorkspaceState& state) {
  QJsonObject object{{"id", jsonText(state.id)},
                     {"method", jsonText(state.method)},
                     {"values", valuesToJson(state.values)},
                     {"compare", nameOf(compareNames(), state.compare)},
                     {"other", valuesToJson(state.other)},
                     {"aggregate", nameOf(aggregateNames(), state.aggregate)},
                     {"colour_map", jsonText(state.colour_map)},
                     {"keep_aspect", state.keep_aspect}};
  if (!state.contract.map().empty()) object["contract"] = valuesToJson(state.contract);
  if (const auto& view = state.view)
    object["view"] = QJsonObject{{"rows", QJsonArray{view->row_first, view->row_last}},
                                 {"cols", QJsonArray{view->col_first, view->col_last}}};
  if (!state.axes.empty()) {
    QJsonObject axes;
    for (const auto& [method, chosen] : state.axes) axes[jsonText(method)] = QJsonArray{chosen.log_x, chosen.log_y};
    object["axes"] = axes;
  }
  return object;
}

Result<void> readWorkspace(const QJsonObject& object, const WorkspaceInfo& info, WorkspaceState& state) {
  static const std::vector<std::string> known{"id",         "method", "values",      "compare", "other",   "aggregate",
                                              "colour_map", "view",   "keep_aspect", "axes",    "contract"};
  if (auto keys = checkKeys(object, known); !keys) return keys;
  if (auto read = readMethod(object, info, state.method); !read) return read;
  for (const auto& [key, values] : {std::pair{"values", &state.values}, std::pair{"other", &state.other}})
    if (auto read = readSideValues(object[QLatin1String(key)], key, info, *values); !read) return read;
  if (auto read = readValues(object["contract"], "contract", workspaceContract(info), state.contract); !read)
    return read;
  if (auto read = readAppearance(object, state); !read) return read;
  if (auto read = readAxes(object["axes"], info, state.axes); !read) return read;
  return checkWorkspace(state);
}

}  // namespace vqscope
