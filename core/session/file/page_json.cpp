// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/file/page_json.h"

#include "core/base/sentence.h"
#include "core/method/value_json.h"
#include "core/session/file/batch_choice_json.h"
#include "core/session/file/cell_notes_json.h"
#include "core/session/file/view_json.h"
#include "core/session/shown_page.h"
#include "core/session/subject/subject_tensors.h"

#include <algorithm>
#include <array>
#include <utility>

namespace vqscope {
namespace {

/// In the enum's order.
const std::vector<std::string>& compare_names() {
  static const std::vector<std::string> all{"none", "side_by_side", "difference"};
  return all;
}

/// A name for each value of an enum, in its order.
template <auto names, auto setting>
void read_name(PageReader& reader, const std::string& key, const ConfigValue& json) {
  auto& value = reader.page.*setting;
  const std::vector<std::string>& all = names();
  const auto found = json.text() ? std::ranges::find(all, *json.text()) : all.end();
  if (found == all.end())
    return reader.refuse(key, json, "one of " + join(all, ", "),
                         fmt::format("it is {} now", all[static_cast<std::size_t>(value)]));
  value = static_cast<std::remove_reference_t<decltype(value)>>(found - all.begin());
}

void read_method(PageReader& reader, const std::string& key, const ConfigValue& json) {
  const auto& choices = reader.info.choices();
  if (choices.empty()) return;
  const std::string shown = reader.page.method + " is shown";
  const std::string* method = json.text();
  if (!method) return reader.refuse(key, json, "a text", shown);
  if (std::ranges::count(choices, *method) > 0)
    reader.page.method = *method;
  else if (!method->empty())  // from older sessions, whose pages showed all their curves
    reader.note(fmt::format("unknown method {}{}; {}", shortened(*method), did_you_mean(*method, choices), shown));
}

void read_set_aside_names(PageReader& reader, const std::string& key, const ConfigValue& json) {
  if (!json.list()) return reader.refuse(key, json, "a list of parameters", "it was left out");
  for (const auto& item : *json.list())
    if (item.text()) reader.set_aside.insert(*item.text());
}

void read_colour_map(PageReader& reader, const std::string& key, const ConfigValue& json) {
  const std::string* id = json.text();
  if (!id || (!id->empty() && std::ranges::count(colour_map_ids(), *id) == 0))
    return reader.refuse(key, json, "a colour map's id", "the method's own is used");
  reader.page.colour_map = *id;
}

void read_view(PageReader& reader, const std::string& key, const ConfigValue& json) {
  if (reader.members_at(key, json).empty()) return;
  reader.page.view = view_in(json);
  if (!reader.page.view)
    reader.note("view must have an ascending pair of numbers for rows and for cols; the whole matrix is shown");
}

void read_axes(PageReader& reader, const std::string& key, const ConfigValue& json) {
  const Members members = reader.members_at(key, json);
  reader.note_unknown(members, reader.info.curves, "curves");
  for (const auto& method : reader.info.curves) {
    const ConfigValue* given = member(members, method);
    if (!given) continue;
    const auto* list = given->list();
    if (list && list->size() == 2 && list->front().boolean() && list->back().boolean())
      reader.page.axes[method] = {*list->front().boolean(), *list->back().boolean()};
    else
      reader.refuse("axes." + method, *given, "[log_x, log_y], each true or false", "the method's own axes are used");
  }
}

void read_aspect(PageReader& reader, const std::string& key, const ConfigValue& json) {
  if (!json.boolean()) return reader.refuse(key, json, "true or false", "it is false now");
  reader.page.keep_aspect = *json.boolean();
}

void read_pinned(PageReader& reader, const std::string& key, const ConfigValue& json) {
  if (!json.list()) return reader.refuse(key, json, "a list of curve methods", "it was left out");
  const auto curves = pinnable_curves();
  auto& pinned = reader.page.pinned;
  for (const auto& item : *json.list()) {
    const std::string id = item.text() ? *item.text() : std::string();
    const bool known = std::ranges::count(curves, id, [](const Method* method) { return method->id; }) > 0;
    if (known && std::ranges::count(pinned, id) == 0)
      pinned.push_back(id);
    else
      reader.note(fmt::format("pinned: {} is no other curve that can be pinned; it was left out", shortened(id)));
  }
}

template <auto setting>
JsonValue plain(const PageState& page, const Subject&) {
  return page.*setting;
}

template <auto names, auto setting>
JsonValue name_json(const PageState& page, const Subject&) {
  return names()[static_cast<std::size_t>(page.*setting)];
}

/// Names set on the page but shown with another value, because theirs contradicts others.
JsonValue set_aside_json(const PageState& page, const Subject& subject) {
  if (page.own.map().empty()) return {};
  const ShownPage shown = shown_page(page, subject);
  std::vector<std::string> names;
  for (const auto& [name, value] : page.own.map())
    if (const auto* now = shown.values.find(name); now && *now != value) names.push_back(name);
  return names.empty() ? JsonValue() : JsonValue(names);
}

JsonValue own_json(const PageState& page, const Subject&) { return json_of(page.own); }

JsonValue other_json(const PageState& page, const Subject&) {
  return page.compare == CompareMode::none ? JsonValue() : JsonValue(json_of(page.other));
}

JsonValue lint_json(const PageState& page, const Subject&) {
  return page.lint.map().empty() ? JsonValue() : JsonValue(json_of(page.lint));
}

JsonValue shown_view_json(const PageState& page, const Subject&) {
  return page.view ? JsonValue(view_json(*page.view)) : JsonValue();
}

JsonValue axes_json(const PageState& page, const Subject&) {
  JsonObject axes;
  for (const auto& [method, chosen] : page.axes) axes.emplace(method, JsonArray{chosen.log_x, chosen.log_y});
  return axes.empty() ? JsonValue() : JsonValue(std::move(axes));
}

JsonValue pinned_json(const PageState& page, const Subject&) {
  return page.pinned.empty() ? JsonValue() : JsonValue(page.pinned);
}

/// A member of a page's object.
struct PageMember {
  const char* key;
  JsonValue (*write)(const PageState&, const Subject&);                         ///< null: it is not written
  void (*read)(PageReader&, const std::string&, const ConfigValue&) = nullptr;  ///< nullptr: it is read beforehand
  bool always = false;  ///< read as null where the file does not have it
};

using Settings = PageSettings;

/// In the order in which they are read: values depend on those before them.
constexpr std::array page_members{
    PageMember{"id", plain<&Settings::id>},
    PageMember{"method", plain<&Settings::method>, read_method},
    PageMember{"compare", name_json<compare_names, &Settings::compare>, read_name<compare_names, &Settings::compare>},
    PageMember{"aggregate", name_json<aggregate_names, &Settings::aggregate>,
               read_name<aggregate_names, &Settings::aggregate>},
    PageMember{"set_aside", set_aside_json, read_set_aside_names},
    PageMember{"values", own_json, read_own, true},
    PageMember{"other", other_json, read_other, true},
    PageMember{"contract", lint_json, read_lint},
    PageMember{"batch", batch_json, read_batch_choice},
    PageMember{"colour_map", plain<&Settings::colour_map>, read_colour_map},
    PageMember{"view", shown_view_json, read_view},
    PageMember{"axes", axes_json, read_axes},
    PageMember{"keep_aspect", plain<&Settings::keep_aspect>, read_aspect},
    PageMember{"pinned", pinned_json, read_pinned},
    PageMember{"notes", cell_notes_json, read_cell_notes},
};

}  // namespace

JsonObject page_json(const PageState& page, const Subject& subject) {
  JsonObject object;
  for (const PageMember& each : page_members)
    if (JsonValue value = each.write(page, subject); !std::holds_alternative<std::nullptr_t>(value.data()))
      object.emplace(each.key, std::move(value));
  return object;
}

PageState read_page(const ConfigValue& object, const PageInfo& info, const PageFormat& format, Notes& notes) {
  PageReader reader{info, format, notes, default_page(info)};
  std::vector<std::string> known;
  for (const PageMember& each : page_members) known.emplace_back(each.key);
  reader.note_unknown(members_of(object), known, "name");
  static const ConfigValue absent;
  for (const PageMember& each : page_members)
    if (const ConfigValue* json = object.find(each.key); each.read && (json || each.always))
      each.read(reader, each.key, json ? *json : absent);
  // Tensors that are lost leave their page with an error.
  if (const auto checked = check_page(reader.page); !checked && !shows_tensors(reader.page.values)) {
    reader.page = default_page(info);
    reader.note(checked.error().message + "; the page was reset");
  }
  return kept_page(reader.page);
}

}  // namespace vqscope
