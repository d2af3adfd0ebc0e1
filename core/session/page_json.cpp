// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/page_json.h"

#include "core/base/sentence.h"
#include "core/catalogue/registry.h"
#include "core/method/free_name.h"
#include "core/method/value_json.h"
#include "core/session/resolve.h"
#include "core/session/settle.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace vqscope {
namespace {

/// In the enum's order.
const std::vector<std::string>& compare_names() {
  static const std::vector<std::string> all{"none", "side_by_side", "difference"};
  return all;
}

template <class T>
const std::string& name_of(const std::vector<std::string>& names, T value) {
  return names[static_cast<std::size_t>(value)];
}

/// The members of an object by name; the last one of duplicates.
using Members = std::map<std::string, const ConfigValue*, std::less<>>;

Members members_of(const ConfigValue* json) {
  Members members;
  if (json && json->object())
    for (const auto& each : json->object()->members) members.insert_or_assign(each.key, &each);
  return members;
}

const ConfigValue* member(const Members& members, std::string_view name) {
  const auto found = members.find(name);
  return found == members.end() ? nullptr : found->second;
}

/// For older sessions, in which the free names of a mask's text were listed among the parameters, and one with the name
/// of a parameter of ours had its value: each now has a key of its own.
Members with_free_names(Members given, std::span<const ParameterSpec> specs) {
  std::vector<std::string_view> taken;
  for (const auto& spec : specs) {
    const std::string_view free = free_name_of(spec.name);
    if (free.empty()) continue;
    const bool ours = find_spec(specs, free) != nullptr;
    const ConfigValue* former = member(given, free);
    if (!former || !given.emplace(spec.name, former).second) continue;
    if (!ours) taken.push_back(free);
  }
  for (const auto name : taken) given.erase(given.find(name));
  return given;
}

/// Reads one page; notes what is invalid under the page's title.
class PageReader {
 public:
  PageReader(const ConfigValue& json, const WorkspaceInfo& info, const PageFormat& format, Notes& notes)
      : m_json(json), m_info(info), m_format(format), m_notes(notes), m_state(default_workspace(info)) {}

  WorkspaceState read();

 private:
  void note(const std::string& sentence) { m_notes.push_back(fmt::format("{}{}: {}", m_info.title, m_side, sentence)); }
  /// The members of the object under a key; none without an object.
  Members members_at(const char* key);
  template <class T>
  void read_name(const char* key, const std::vector<std::string>& names, T& value);
  void read_method();
  /// The valid values of an object by name, those of all methods of the page.
  ParameterValues read_values(const char* key, const ParameterValues& base);
  /// Values of the page that are not set by the object under "values".
  ParameterValues base_values() const;
  void read_set_aside_names();
  void read_own();
  bool resets(const ParameterValues& given, const ParameterValues& values) const;
  void read_other();
  void read_contract();
  void read_colour_map();
  void read_view();
  void read_axes();
  void read_aspect();
  void read_pinned();
  void note_unknown(const Members& members, const std::vector<std::string>& known, const std::string& what);
  void note_values(const Members& members, std::span<const ParameterSpec> specs, const ParameterValues& values);
  void note_contract(const Members& members, std::span<const ParameterSpec> specs);

  const ConfigValue& m_json;
  const WorkspaceInfo& m_info;
  const PageFormat& m_format;
  Notes& m_notes;
  WorkspaceState m_state;
  std::set<std::string> m_set_aside;  ///< what is set and not shown, which is no mistake
  const char* m_side = "";            ///< named in notes
};

Members PageReader::members_at(const char* key) {
  const ConfigValue* json = m_json.find(key);
  if (json && !json->object() && !json->is_null())
    note(wrong_json(key, *json, "an object").message + "; it was left out");
  return members_of(json);
}

template <class T>
void PageReader::read_name(const char* key, const std::vector<std::string>& names, T& value) {
  const ConfigValue* json = m_json.find(key);
  if (!json) return;
  const auto found = json->text() ? std::ranges::find(names, *json->text()) : names.end();
  if (found != names.end())
    value = static_cast<T>(found - names.begin());
  else
    note(fmt::format("{}; it is {} now", wrong_json(key, *json, "one of " + join(names, ", ")).message,
                     name_of(names, value)));
}

void PageReader::read_method() {
  const auto& choices = m_info.choices();
  const ConfigValue* json = m_json.find("method");
  if (choices.empty() || !json) return;
  const std::string* method = json->text();
  if (method && std::ranges::count(choices, *method) > 0)
    m_state.method = *method;
  else if (!method)
    note(fmt::format("{}; {} is shown", wrong_json("method", *json, "a text").message, m_state.method));
  else if (!method->empty())  // from older sessions, whose pages showed all their curves
    note(fmt::format("unknown method {}{}; {} is shown", shortened(*method), did_you_mean(*method, choices),
                     m_state.method));
}

void PageReader::note_unknown(const Members& members, const std::vector<std::string>& known, const std::string& what) {
  for (const auto& [name, json] : members)
    if (std::ranges::count(known, name) == 0)
      note(fmt::format("unknown {} {}{}; it was left out", what, shortened(name), did_you_mean(name, known)));
}

/// A value may be valid for another method of the page only: it is kept until that one is shown.
std::optional<ParameterValue> read_by_any(const WorkspaceInfo& info, const ParameterValues& values,
                                          const std::string& name, const ConfigValue& json) {
  for (const auto* ids : {&info.fields, &info.curves})
    for (const auto& id : *ids) {
      const auto specs = parameters_of(*find_method(id), values);
      const auto* spec = find_spec(specs, name);
      if (!spec) continue;
      if (auto value = read_value(*spec, json)) return *value;
    }
  return std::nullopt;
}

/// Whether a parameter's range follows from other values.
bool has_range_of_values(const WorkspaceInfo& info, const ParameterValues& values, const std::string& name) {
  const auto follows = [&](const Method* method) {
    return method->free_parameters && find_spec(method->free_parameters(values), name);
  };
  return std::ranges::any_of(info.fields, follows, find_method) ||
         std::ranges::any_of(info.curves, follows, find_method);
}

/// A value that the page could have when it was set, and cannot have among its other values as they are now.
Result<ParameterValue> read_set_aside(ParameterSpec spec, const ConfigValue& json) {
  const bool whole = spec.kind == ParameterKind::integer || spec.kind == ParameterKind::integer_list;
  constexpr double most_exact = 9007199254740992.0;  // 2^53
  spec.maximum = whole ? most_exact : std::numeric_limits<double>::max();
  spec.minimum = -spec.maximum;
  if (json.text()) spec.choices.push_back({*json.text(), ""});
  if (const auto* items = json.list())
    for (const auto& item : *items)
      if (item.text()) spec.choices.push_back({*item.text(), ""});
  return read_value(spec, json);
}

void PageReader::note_values(const Members& members, std::span<const ParameterSpec> specs,
                             const ParameterValues& values) {
  std::vector<std::string> known;
  for (const auto& spec : specs) known.push_back(spec.name);
  note_unknown(members, known, "parameter");
  for (const auto& spec : specs)
    if (const auto* json = member(members, spec.name); json && !values.find(spec.name))
      note(fmt::format("{}; it is {} now", read_value(spec, *json).error().message,
                       short_value(default_value(m_info, spec))));
}

ParameterValues PageReader::base_values() const {
  WorkspaceState unset = m_state;
  unset.compare = CompareMode::none;
  unset.own = {};
  fill_workspace(unset, m_format.subject);
  return unset.values;
}

ParameterValues PageReader::read_values(const char* key, const ParameterValues& base) {
  Members members = members_at(key);
  const auto given = [&](const ParameterSpec& spec) -> std::optional<ParameterValue> {
    if (const auto* json = member(members, spec.name))
      if (auto value = read_value(spec, *json)) return std::move(*value);
    const auto* value = base.find(spec.name);
    return value && check_value(spec, *value) ? *value : default_value(m_info, spec);
  };
  auto values = values_from(given, m_info, m_state.method);
  auto specs = workspace_parameters(m_info, values, m_state.method);
  if (m_format.all_values) {
    members = with_free_names(std::move(members), specs);
    values = values_from(given, m_info, m_state.method);
    specs = workspace_parameters(m_info, values, m_state.method);
  }
  ParameterValues read;
  for (const auto& spec : specs) {
    const auto* json = member(members, spec.name);
    if (!json) continue;
    if (auto value = read_value(spec, *json))
      read.set(spec.name, std::move(*value));
    else if (auto other = read_by_any(m_info, values, spec.name, *json))
      read.set(spec.name, std::move(*other));
    else if (m_set_aside.contains(spec.name) && has_range_of_values(m_info, values, spec.name))
      if (auto aside = read_set_aside(spec, *json)) read.set(spec.name, std::move(*aside));
  }
  note_values(members, specs, read);
  return read;
}

/// Whether the shown method keeps a value from being what was set, and no other method of the page has it otherwise.
bool PageReader::resets(const ParameterValues& given, const ParameterValues& values) const {
  const auto shown = shown_parameters(m_state.method, values);
  const auto elsewhere = [&](const std::string& name, const ParameterValue& value, const ParameterSpec& here) {
    for (const auto* ids : {&m_info.fields, &m_info.curves})
      for (const auto& id : *ids) {
        const auto& specs = find_method(id)->parameters;
        const auto* spec = find_spec(specs, name);
        if (spec && *spec != here && check_value(*spec, value)) return true;
      }
    return false;
  };
  for (const auto& [name, value] : given.map()) {
    if (m_set_aside.contains(name)) continue;
    const auto* spec = find_spec(shown, name);
    const auto* now = values.find(name);
    if (spec && now && *now != value && !elsewhere(name, value, *spec)) return true;
  }
  return false;
}

void PageReader::read_set_aside_names() {
  const ConfigValue* json = m_json.find("set_aside");
  if (!json) return;
  if (!json->list()) return note(wrong_json("set_aside", *json, "a list of parameters").message + "; it was left out");
  for (const auto& item : *json->list())
    if (item.text()) m_set_aside.insert(*item.text());
}

/// Older files list all values of a page: those at the default were not set.
void PageReader::read_own() {
  read_set_aside_names();
  m_state.own = read_values("values", base_values());
  if (m_format.all_values) {
    ParameterValues set;
    const auto specs = workspace_parameters(m_info, m_state.own, m_state.method);
    for (const auto& [name, value] : m_state.own.map())
      if (const auto* spec = find_spec(specs, name); !spec || value != default_value(m_info, *spec))
        set.set(name, value);
    m_state.own = std::move(set);
  }
  const auto given = m_state.own;
  // What contradicts the subject alone, or would contradict defaults in its place, is no mistake of the file.
  WorkspaceState alone = m_state;
  const bool wrong = !resolve_workspace(alone, {}).empty();
  const Notes notes = resolve_workspace(m_state, m_format.subject);
  if (!wrong || notes.empty() || !resets(m_state.own, m_state.values)) return;
  for (const auto& each : notes) note(each);
  // What was reset is not set any more, or each opening would say so again.
  const auto specs = shown_parameters(m_state.method, m_state.values);
  for (const auto& [name, value] : given.map())
    if (const auto* spec = find_spec(specs, name); spec && check_value(*spec, value))
      if (*m_state.values.find(name) != value) m_state.own = without(m_state.own, name);
}

/// Reads side B: values that the file does not name are those of A.
void PageReader::read_other() {
  if (m_state.compare == CompareMode::none) {
    resolve_workspace(m_state, m_format.subject);
    return;
  }
  m_side = ", B";
  m_state.other = m_json.find("other") ? read_values("other", m_state.values) : ParameterValues();
  const ParameterValues given = m_state.other;
  WorkspaceState alone = m_state;
  const bool wrong = !resolve_workspace(alone, {}).empty();
  const Notes notes = resolve_workspace(m_state, m_format.subject);
  if (wrong && resets(given, m_state.other))
    for (const auto& each : notes) note(each);
  m_side = "";
}

void PageReader::note_contract(const Members& members, std::span<const ParameterSpec> specs) {
  ParameterValues read;
  for (const auto& spec : specs)
    if (const auto* json = member(members, spec.name))
      if (const auto value = read_value(spec, *json)) read.set(spec.name, *value);
  note_values(members, specs, read);
}

void PageReader::read_contract() {
  const Members members = members_at("contract");
  const auto specs = workspace_contract(m_info);
  for (const auto& spec : specs)
    if (const auto* json = member(members, spec.name))
      if (auto value = read_value(spec, *json)) m_state.contract.set(spec.name, std::move(*value));
  note_contract(members, specs);
}

void PageReader::read_colour_map() {
  const ConfigValue* json = m_json.find("colour_map");
  if (!json) return;
  const std::string* id = json->text();
  if (id && (id->empty() || std::ranges::count(colour_map_ids(), *id) > 0))
    m_state.colour_map = *id;
  else
    note(wrong_json("colour_map", *json, "a colour map's id").message + "; the method's own is used");
}

/// The two ends of a side of a view.
std::optional<std::pair<double, double>> ends_in(const ConfigValue* json) {
  static const ParameterSpec ends{.kind = ParameterKind::real_list,
                                  .fallback = std::vector<double>{},
                                  .minimum = std::numeric_limits<double>::lowest(),
                                  .maximum = std::numeric_limits<double>::max(),
                                  .most_items = 2};
  if (!json) return std::nullopt;
  const auto value = read_value(ends, *json);
  if (!value) return std::nullopt;
  const auto& reals = std::get<std::vector<double>>(*value);
  return reals.size() == 2 ? std::optional(std::pair(reals[0], reals[1])) : std::nullopt;
}

void PageReader::read_view() {
  const Members members = members_at("view");
  if (members.empty()) return;
  const auto rows = ends_in(member(members, "rows"));
  const auto cols = ends_in(member(members, "cols"));
  if (rows && cols)
    if (const ViewRange view{rows->first, rows->second, cols->first, cols->second}; is_showable(view)) {
      m_state.view = view;
      return;
    }
  note("view must have an ascending pair of numbers for rows and for cols; the whole matrix is shown");
}

void PageReader::read_axes() {
  const Members members = members_at("axes");
  note_unknown(members, m_info.curves, "curves");
  for (const auto& method : m_info.curves) {
    const ConfigValue* json = member(members, method);
    if (!json) continue;
    const auto* list = json->list();
    if (list && list->size() == 2 && list->front().boolean() && list->back().boolean())
      m_state.axes[method] = {*list->front().boolean(), *list->back().boolean()};
    else
      note(wrong_json("axes." + method, *json, "[log_x, log_y], each true or false").message +
           "; the method's own axes are used");
  }
}

void PageReader::read_aspect() {
  const ConfigValue* json = m_json.find("keep_aspect");
  if (!json) return;
  if (json->boolean())
    m_state.keep_aspect = *json->boolean();
  else
    note(wrong_json("keep_aspect", *json, "true or false").message + "; it is false now");
}

void PageReader::read_pinned() {
  const ConfigValue* json = m_json.find("pinned");
  if (!json) return;
  if (!json->list()) return note(wrong_json("pinned", *json, "a list of curve methods").message + "; it was left out");
  const auto curves = pinnable_curves();
  for (const auto& item : *json->list()) {
    const std::string id = item.text() ? *item.text() : std::string();
    const bool known = std::ranges::count(curves, id, [](const Method* method) { return method->id; }) > 0;
    if (known && std::ranges::count(m_state.pinned, id) == 0)
      m_state.pinned.push_back(id);
    else
      note(fmt::format("pinned: {} is no other curve that can be pinned; it was left out", shortened(id)));
  }
}

WorkspaceState PageReader::read() {
  note_unknown(members_of(&m_json),
               {"id", "method", "values", "compare", "other", "aggregate", "colour_map", "view", "keep_aspect", "axes",
                "contract", "pinned", "set_aside"},
               "name");
  read_method();
  read_name("compare", compare_names(), m_state.compare);
  read_name("aggregate", aggregate_names(), m_state.aggregate);
  read_own();
  m_set_aside.clear();  // nothing of side B is: it is saved as it is shown
  read_other();
  read_contract();
  read_colour_map();
  read_view();
  read_axes();
  read_aspect();
  read_pinned();
  if (const auto checked = check_workspace(m_state); !checked) {
    m_state = default_workspace(m_info);
    note(checked.error().message + "; the page was reset");
  }
  return m_state;
}

/// Of what is set on the page, the names that it shows another value of, because that contradicts the others.
std::vector<std::string> set_aside(const WorkspaceState& state) {
  std::vector<std::string> names;
  for (const auto& [name, value] : state.own.map())
    if (const auto* shown = state.values.find(name); shown && *shown != value) names.push_back(name);
  return names;
}

}  // namespace

JsonObject page_json(const WorkspaceState& state) {
  JsonObject object{{"id", state.id},
                    {"method", state.method},
                    {"compare", name_of(compare_names(), state.compare)},
                    {"aggregate", name_of(aggregate_names(), state.aggregate)},
                    {"colour_map", state.colour_map},
                    {"keep_aspect", state.keep_aspect}};
  object.emplace("values", json_of(state.own));  // an initialiser would be copied
  if (auto names = set_aside(state); !names.empty()) object.emplace("set_aside", std::move(names));
  if (state.compare != CompareMode::none) object.emplace("other", json_of(different(state.other, state.values)));
  if (!state.contract.map().empty()) object.emplace("contract", json_of(state.contract));
  if (const auto& view = state.view)
    object.emplace("view", JsonObject{{"rows", std::vector{view->row_first, view->row_last}},
                                      {"cols", std::vector{view->col_first, view->col_last}}});
  if (!state.pinned.empty()) {
    JsonArray pinned;
    for (const auto& id : state.pinned) pinned.emplace_back(id);
    object.emplace("pinned", std::move(pinned));
  }
  if (!state.axes.empty()) {
    JsonObject axes;
    for (const auto& [method, chosen] : state.axes) axes.emplace(method, JsonArray{chosen.log_x, chosen.log_y});
    object.emplace("axes", std::move(axes));
  }
  return object;
}

WorkspaceState read_page(const ConfigValue& object, const WorkspaceInfo& info, const PageFormat& format, Notes& notes) {
  return PageReader(object, info, format, notes).read();
}

}  // namespace vqscope
