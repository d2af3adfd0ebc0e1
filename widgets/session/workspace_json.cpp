// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/workspace_json.h"

#include "core/base/text.h"
#include "core/method/free_name.h"
#include "core/session/settle.h"
#include "widgets/parts/file_name.h"
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

/// Reads one page; what does not hold is noted under the page's title.
class PageReader {
 public:
  PageReader(const QJsonObject& object, const WorkspaceInfo& info, Notes& notes)
      : m_object(object), m_info(info), m_notes(notes), m_state(default_workspace(info)) {}

  WorkspaceState read();

 private:
  QJsonValue at(const char* key) const { return m_object[QLatin1String(key)]; }
  void note(const std::string& sentence) { m_notes.push_back(m_info.title + m_side + ": " + sentence); }
  /// The object under a key; an empty one where there is none.
  QJsonObject objectAt(const char* key);
  template <class T>
  void readName(const char* key, const std::vector<std::string>& names, T& value);
  void readMethod();
  void readSide(const char* key, bool shown, ParameterValues& values);
  void readOther();
  void readContract();
  void readColourMap();
  void readView();
  void readAxes();
  void noteUnknown(const QJsonObject& object, const std::vector<std::string>& known, const std::string& what);
  void noteValues(const QJsonObject& object, std::span<const ParameterSpec> specs, const ParameterValues& values);

  const QJsonObject& m_object;
  const WorkspaceInfo& m_info;
  Notes& m_notes;
  WorkspaceState m_state;
  const char* m_side = "";  ///< of what is noted
};

QJsonObject PageReader::objectAt(const char* key) {
  const QJsonValue json = at(key);
  if (!json.isObject() && !json.isUndefined() && !json.isNull())
    note(wrongJson(key, json, "an object").message + "; it was left out");
  return json.toObject();
}

template <class T>
void PageReader::readName(const char* key, const std::vector<std::string>& names, T& value) {
  const QJsonValue json = at(key);
  if (json.isUndefined()) return;
  const auto found = std::ranges::find(names, bytesOf(json.toString()));
  if (json.isString() && found != names.end())
    value = static_cast<T>(found - names.begin());
  else
    note(wrongJson(key, json, "one of " + join(names, ", ")).message + "; it is " +
         names[static_cast<std::size_t>(value)] + " now");
}

void PageReader::readMethod() {
  const auto& choices = m_info.choices();
  const QJsonValue json = at("method");
  if (choices.empty() || json.isUndefined()) return;
  const std::string method = bytesOf(json.toString());
  if (json.isString() && std::ranges::count(choices, method) > 0)
    m_state.method = method;
  else if (!method.empty() || !json.isString())  // empty: of sessions when pages showed all their curves
    note((json.isString() ? "unknown method " + shortened(method) + did_you_mean(method, choices)
                          : wrongJson("method", json, "a text").message) +
         "; " + m_state.method + " is shown");
}

void PageReader::noteUnknown(const QJsonObject& object, const std::vector<std::string>& known,
                             const std::string& what) {
  for (auto each = object.begin(); each != object.end(); ++each) {
    const std::string name = bytesOf(each.key());
    if (std::ranges::count(known, name) == 0)
      note("unknown " + what + " " + shortened(name) + did_you_mean(name, known) + "; it was left out");
  }
}

void PageReader::noteValues(const QJsonObject& object, std::span<const ParameterSpec> specs,
                            const ParameterValues& values) {
  std::vector<std::string> known;
  for (const auto& spec : specs) known.push_back(spec.name);
  noteUnknown(object, known, "parameter");
  for (const auto& spec : specs) {
    const QJsonValue json = object[jsonText(spec.name)];
    if (json.isUndefined()) continue;
    if (const auto value = readValue(spec, json); !value)
      note(value.error().message + "; it is " + short_value(*values.find(spec.name)) + " now");
  }
}

void PageReader::readSide(const char* key, bool shown, ParameterValues& values) {
  QJsonObject object = objectAt(key);
  const auto given = [&](const ParameterSpec& spec) -> std::optional<ParameterValue> {
    const QJsonValue json = object.value(jsonText(spec.name));  // operator[] would insert what is missing
    if (json.isUndefined()) return std::nullopt;
    auto value = readValue(spec, json);
    return value ? std::optional(std::move(*value)) : std::nullopt;
  };
  values = values_from(given, m_info, m_state.method);
  auto specs = workspace_parameters(m_info, values, m_state.method);
  if (const QJsonObject renamed = withFreeNames(object, specs); renamed != object) {
    object = renamed;
    values = values_from(given, m_info, m_state.method);
    specs = workspace_parameters(m_info, values, m_state.method);
  }
  noteValues(object, specs, values);
  Notes changed;
  if (shown) settle_shown(m_info, m_state.method, values, changed);
  for (const auto& each : changed) note(each);
}

/// Of most pages the same as A.
void PageReader::readOther() {
  if (m_notes.empty() && at("other") == at("values")) {
    m_state.other = m_state.values;
    return;
  }
  m_side = ", B";
  readSide("other", m_state.compare != CompareMode::none, m_state.other);
  m_side = "";
}

void PageReader::readContract() {
  const QJsonObject object = objectAt("contract");
  const auto specs = workspace_contract(m_info);
  for (const auto& spec : specs) {
    const QJsonValue json = object[jsonText(spec.name)];
    if (json.isUndefined()) continue;
    if (auto value = readValue(spec, json)) m_state.contract.set(spec.name, std::move(*value));
  }
  noteValues(object, specs, m_state.contract);
}

void PageReader::readColourMap() {
  const QJsonValue json = at("colour_map");
  if (json.isUndefined()) return;
  const std::string id = bytesOf(json.toString());
  if (json.isString() && (id.empty() || std::ranges::count(colour_map_ids(), id) > 0))
    m_state.colour_map = id;
  else
    note(wrongJson("colour_map", json, "a colour map's id").message + "; the method's own is used");
}

void PageReader::readView() {
  const QJsonObject object = objectAt("view");
  if (object.isEmpty()) return;
  const QJsonArray rows = object["rows"].toArray();
  const QJsonArray cols = object["cols"].toArray();
  const auto end = [](const QJsonArray& ends, int i) { return ends.at(i).toDouble(std::nan("")); };
  const ViewRange view{end(rows, 0), end(rows, 1), end(cols, 0), end(cols, 1)};
  if (rows.size() == 2 && cols.size() == 2 && is_showable(view))
    m_state.view = view;
  else
    note("view must be two ascending ends of rows and of columns; the whole matrix is shown");
}

void PageReader::readAxes() {
  const QJsonObject object = objectAt("axes");
  noteUnknown(object, m_info.curves, "curves");
  for (const auto& method : m_info.curves) {
    const QJsonValue json = object[jsonText(method)];
    if (json.isUndefined()) continue;
    const QJsonArray logarithmic = json.toArray();
    if (logarithmic.size() == 2 && logarithmic.at(0).isBool() && logarithmic.at(1).isBool())
      m_state.axes[method] = {logarithmic.at(0).toBool(), logarithmic.at(1).toBool()};
    else
      note(wrongJson("axes." + method, json, "[log_x, log_y], each true or false").message + "; they are its own now");
  }
}

WorkspaceState PageReader::read() {
  noteUnknown(m_object,
              {"id", "method", "values", "compare", "other", "aggregate", "colour_map", "view", "keep_aspect", "axes",
               "contract"},
              "name");
  readMethod();
  readName("compare", compareNames(), m_state.compare);
  readName("aggregate", aggregate_names(), m_state.aggregate);
  readSide("values", true, m_state.values);
  readOther();
  readContract();
  readColourMap();
  readView();
  readAxes();
  const QJsonValue aspect = at("keep_aspect");
  if (aspect.isBool())
    m_state.keep_aspect = aspect.toBool();
  else if (!aspect.isUndefined())
    note(wrongJson("keep_aspect", aspect, "true or false").message + "; it is false now");
  if (const auto checked = check_workspace(m_state); !checked) {
    m_state = default_workspace(m_info);
    note(checked.error().message + "; the page is as at first");
  }
  return m_state;
}

}  // namespace

QJsonObject workspaceToJson(const WorkspaceState& state) {
  QJsonObject object{{"id", jsonText(state.id)},
                     {"method", jsonText(state.method)},
                     {"values", valuesToJson(state.values)},
                     {"compare", nameOf(compareNames(), state.compare)},
                     {"other", valuesToJson(state.other)},
                     {"aggregate", nameOf(aggregate_names(), state.aggregate)},
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

WorkspaceState readWorkspace(const QJsonObject& object, const WorkspaceInfo& info, Notes& notes) {
  return PageReader(object, info, notes).read();
}

}  // namespace vqscope
