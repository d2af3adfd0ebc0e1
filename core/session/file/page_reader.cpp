// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/file/page_reader.h"

#include "core/base/sentence.h"
#include "core/catalogue/registry.h"
#include "core/method/free_name.h"
#include "core/method/value_json.h"
#include "core/session/resolve.h"
#include "core/session/settle.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace vqscope {
namespace {

void note_values(PageReader& reader, const Members& members, std::span<const ParameterSpec> specs,
                 const ParameterValues& values) {
  std::vector<std::string> known;
  for (const auto& spec : specs) known.push_back(spec.name);
  reader.note_unknown(members, known, "parameter");
  for (const auto& spec : specs)
    if (const auto* json = member(members, spec.name); json && !values.find(spec.name))
      reader.note(fmt::format("{}; it is {} now", read_value(spec, *json).error().message,
                              short_value(default_value(reader.info, spec))));
}

template <class F>
bool any_method(const PageInfo& info, F is) {
  const auto of_id = [&](const std::string& id) { return is(*find_method(id)); };
  return std::ranges::any_of(info.fields, of_id) || std::ranges::any_of(info.curves, of_id);
}

/// A value may be valid for another method of the page only: it is kept until that one is shown.
std::optional<ParameterValue> read_by_any(const PageInfo& info, const ParameterValues& values, const std::string& name,
                                          const ConfigValue& json) {
  std::optional<ParameterValue> read;
  any_method(info, [&](const Method& method) {
    const auto specs = parameters_of(method, values);
    const auto* spec = find_spec(specs, name);
    if (!spec) return false;
    if (auto value = read_value(*spec, json)) read = std::move(*value);
    return read.has_value();
  });
  return read;
}

/// Whether a parameter's range follows from other values.
bool has_range_of_values(const PageInfo& info, const ParameterValues& values, const std::string& name) {
  return any_method(info, [&](const Method& method) {
    return method.free_parameters && find_spec(method.free_parameters(values), name);
  });
}

/// A value that the page could have when it was set, and cannot have among its other values as they
/// are now.
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

/// For older sessions, in which the free names of a mask's text were listed among the parameters,
/// and one with the name of a parameter of ours had its value: each now has a key of its own.
Members with_free_names(Members given, std::span<const ParameterSpec> specs) {
  std::vector<std::string_view> taken;
  for (const auto& spec : specs) {
    const std::string_view free = free_name_of(spec.name);
    if (free.empty()) continue;
    const bool is_parameter = find_spec(specs, free) != nullptr;
    const ConfigValue* former = member(given, free);
    if (!former || !given.emplace(spec.name, former).second) continue;
    if (!is_parameter) taken.push_back(free);
  }
  for (const auto name : taken) given.erase(given.find(name));
  return given;
}

/// The valid values of an object by name, those of all methods of the page. `base`: what the object
/// does not name.
ParameterValues read_values(PageReader& reader, Members members, const ParameterValues& base) {
  const PageInfo& info = reader.info;
  const std::string& method = reader.page.method;
  const auto given = [&](const ParameterSpec& spec) -> std::optional<ParameterValue> {
    if (const auto* json = member(members, spec.name))
      if (auto value = read_value(spec, *json)) return std::move(*value);
    const auto* value = base.find(spec.name);
    return value && check_value(spec, *value) ? *value : default_value(info, spec);
  };
  auto values = values_from(given, info, method);
  if (reader.format.all_values) {
    members = with_free_names(std::move(members), specs_of_page(info, values, method));
    values = values_from(given, info, method);
  }
  const auto specs = specs_of_page(info, values, method);
  ParameterValues read;
  for (const auto& spec : specs) {
    const auto* json = member(members, spec.name);
    if (!json) continue;
    if (auto value = read_value(spec, *json))
      read.set(spec.name, std::move(*value));
    else if (auto other = read_by_any(info, values, spec.name, *json))
      read.set(spec.name, std::move(*other));
    else if (reader.set_aside.contains(spec.name) && has_range_of_values(info, values, spec.name))
      if (auto aside = read_set_aside(spec, *json)) read.set(spec.name, std::move(*aside));
  }
  note_values(reader, members, specs, read);
  return read;
}

/// Whether the shown method keeps a value from being what was set, and no other method of the page
/// has it otherwise.
bool resets(const PageReader& reader, const ParameterValues& given, const ParameterValues& values) {
  const auto shown = shown_parameters(reader.page.method, values);
  const auto is_reset = [&](const auto& entry) {
    const std::string& name = entry.first;
    const ParameterValue& value = entry.second;
    const auto* here = find_spec(shown, name);
    const auto* now = values.find(name);
    if (reader.set_aside.contains(name) || !here || !now || *now == value) return false;
    return !any_method(reader.info, [&](const Method& method) {
      const auto* spec = find_spec(method.parameters, name);
      return spec && *spec != *here && check_value(*spec, value);
    });
  };
  return std::ranges::any_of(given.map(), is_reset);
}

/// Completes the page, and notes what contradicts other values. What contradicts the subject alone,
/// or would contradict defaults in its place, is no mistake of the file. Whether there is a mistake
/// in `given`, values of one side.
bool resolve_noting(PageReader& reader, const ParameterValues& given, const ParameterValues ShownPage::*shown) {
  ShownPage alone = reader.page;
  const bool wrong = !resolve_page(alone, {}).empty();
  const Notes notes = resolve_page(reader.page, reader.format.subject);
  if (!wrong || notes.empty() || !resets(reader, given, reader.page.*shown)) return false;
  for (const auto& each : notes) reader.note(each);
  return true;
}

/// The values that were set among all values of a page, as older files list them: those at the
/// default were not.
ParameterValues set_of(const PageReader& reader, const ParameterValues& all) {
  ParameterValues set;
  const auto specs = specs_of_page(reader.info, all, reader.page.method);
  for (const auto& [name, value] : all.map())
    if (const auto* spec = find_spec(specs, name); !spec || value != default_value(reader.info, *spec))
      set.set(name, value);
  return set;
}

}  // namespace

Members members_of(const ConfigValue& json) {
  Members members;
  if (json.object())
    for (const auto& each : json.object()->members) members.insert_or_assign(each.key, &each);
  return members;
}

const ConfigValue* member(const Members& members, std::string_view name) {
  const auto found = members.find(name);
  return found == members.end() ? nullptr : found->second;
}

void PageReader::note(const std::string& sentence) {
  notes.push_back(fmt::format("{}{}: {}", info.title, side, sentence));
}

void PageReader::refuse(const std::string& key, const ConfigValue& given, const std::string& expected,
                        const std::string& instead) {
  note(wrong_json(key, given, expected).message + "; " + instead);
}

Members PageReader::members_at(const std::string& key, const ConfigValue& json) {
  if (!json.object() && !json.is_null()) refuse(key, json, "an object", "it was left out");
  return members_of(json);
}

void PageReader::note_unknown(const Members& members, const std::vector<std::string>& known, const std::string& what) {
  for (const auto& [name, json] : members)
    if (std::ranges::count(known, name) == 0)
      note(fmt::format("unknown {} {}{}; it was left out", what, shortened(name), did_you_mean(name, known)));
}

void read_own(PageReader& reader, const std::string& key, const ConfigValue& json) {
  ShownPage& page = reader.page;
  ShownPage unset = page;
  unset.compare = CompareMode::none;
  unset.own = {};
  fill_page(unset, reader.format.subject);
  page.own = read_values(reader, reader.members_at(key, json), unset.values);
  if (reader.format.all_values) page.own = set_of(reader, page.own);
  const auto given = page.own;
  if (!resolve_noting(reader, given, &ShownPage::values)) return;
  // Reset values are removed, otherwise each opening would report them again.
  const auto specs = shown_parameters(page.method, page.values);
  for (const auto& [name, value] : given.map())
    if (const auto* spec = find_spec(specs, name); spec && check_value(*spec, value))
      if (*page.values.find(name) != value) page.own = without(page.own, name);
}

void read_other(PageReader& reader, const std::string& key, const ConfigValue& json) {
  reader.set_aside.clear();
  ShownPage& page = reader.page;
  if (page.compare == CompareMode::none) {
    resolve_page(page, reader.format.subject);
    return;
  }
  reader.side = ", B";
  page.other = read_values(reader, reader.members_at(key, json), page.values);
  const ParameterValues given = page.other;
  resolve_noting(reader, given, &ShownPage::other);
  reader.side = "";
}

void read_lint(PageReader& reader, const std::string& key, const ConfigValue& json) {
  const Members members = reader.members_at(key, json);
  const auto specs = page_lint(reader.info);
  ParameterValues read;
  for (const auto& spec : specs)
    if (const auto* given = member(members, spec.name))
      if (auto value = read_value(spec, *given)) read.set(spec.name, std::move(*value));
  for (const auto& [name, value] : read.map()) reader.page.lint.set(name, value);
  note_values(reader, members, specs, read);
}

}  // namespace vqscope
