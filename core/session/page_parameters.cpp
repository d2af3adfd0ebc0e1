// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/page_parameters.h"

#include "core/base/guard.h"
#include "core/base/sentence.h"
#include "core/catalogue/registry.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace vqscope {
namespace {

std::vector<const Method*> found(std::span<const std::string> ids) {
  std::vector<const Method*> all;
  for (const auto& id : ids)
    if (const auto* method = find_method(id)) all.push_back(method);
  return all;
}

/// The method shown and the curves plotted with it.
std::vector<const Method*> shown_methods(const std::string& shown) {
  const Method* method = find_method(shown);
  if (!method || (!method->field() && !method->curves())) return {};
  auto all = found(method->field() ? method->field()->related : method->curves()->related);
  all.insert(all.begin(), method);
  return all;
}

void add_specs(std::vector<ParameterSpec>& specs, std::span<const ParameterSpec> own) {
  for (const auto& spec : own)
    if (!find_spec(specs, spec.name)) specs.push_back(spec);
}

/// The result of carried_values(), from the parameters already known if they accept all of the
/// method's values: then the parameters that follow from these values are the page's as well.
ParameterValues carried(const Method& method, const PageParameters& page, const ParameterValues& from) {
  const auto known = std::ranges::find(page.own, &method, [](const auto& own) { return own.first; });
  if (known == page.own.end()) return carried_values(method, from);
  ParameterValues values;
  for (const auto& spec : known->second) {
    const auto* value = from.find(spec.name);
    if (!value || !check_value(spec, *value)) return carried_values(method, from);
    values.set(spec.name, *value);
  }
  return values;
}

Result<void> check_look(const PageInfo& info, const ShownPage& state) {
  if (!state.colour_map.empty() && std::ranges::count(colour_map_ids(), state.colour_map) == 0)
    return invalid("unknown colour map {}", state.colour_map);
  if (state.view && !is_showable(*state.view))
    return invalid("view must have an ascending pair of numbers for rows and for cols");
  const auto curves = pinnable_curves();
  for (const auto& id : state.pinned)
    if (std::ranges::count(curves, id, [](const Method* method) { return method->id; }) == 0)
      return invalid("{} is no curve that can be pinned", shortened(id));
  for (const auto& [method, axes] : state.axes)
    if (std::ranges::count(info.curves, method) == 0) return invalid("{} has no curves {}", state.id, method);
  return {};
}

/// Checks the page's id and method, without which the page has no parameters.
Result<void> check_method(const ShownPage& state) {
  const auto* info = find_page_info(state.id);
  if (!info) return invalid("unknown workspace {}", shortened(state.id));
  if (!info->choices().empty() && std::ranges::count(info->choices(), state.method) == 0)
    return invalid("workspace {} has no method {}", state.id, shortened(state.method));
  return {};
}

struct KeptParameters {
  std::string shown;
  ParameterValues values;
  std::shared_ptr<const PageParameters> page;
};

}  // namespace

PageParameters page_parameters(const PageInfo& info, const ParameterValues& values, const std::string& shown) {
  PageParameters page;
  const auto first = shown_methods(shown);
  for (const auto* method : first) {
    if (method->free_parameters) page.own.emplace_back(method, parameters_of(*method, values));
    add_specs(page.specs, method->free_parameters ? page.own.back().second : method->parameters);
  }
  page.shown = page.specs.size();
  for (const auto* ids : {&info.fields, &info.curves})
    for (const auto* method : found(*ids)) {
      if (std::ranges::count(first, method) > 0) continue;
      method->free_parameters ? add_specs(page.specs, parameters_of(*method, values))
                              : add_specs(page.specs, method->parameters);
    }
  return page;
}

std::shared_ptr<const PageParameters> kept_parameters(const PageInfo& info, const ParameterValues& values,
                                                      const std::string& shown) {
  thread_local std::map<std::string, std::array<KeptParameters, 2>> kept;  // the last of each page, for two sides
  if (find_page_info(info.id) != &info)
    return std::make_shared<const PageParameters>(page_parameters(info, values, shown));
  auto& [last, former] = kept[info.id];
  const auto is_for = [&](const KeptParameters& each) {
    return each.page && each.shown == shown && each.values == values;
  };
  if (!is_for(last)) {
    std::swap(last, former);
    if (!is_for(last))
      last = {shown, values, std::make_shared<const PageParameters>(page_parameters(info, values, shown))};
  }
  return last.page;
}

std::vector<ParameterSpec> specs_of_page(const PageInfo& info, const ParameterValues& values,
                                         const std::string& shown) {
  return kept_parameters(info, values, shown)->specs;
}

std::vector<ParameterSpec> shown_parameters(const std::string& method, const ParameterValues& values) {
  std::vector<ParameterSpec> specs;
  for (const auto* each : shown_methods(method)) add_specs(specs, parameters_of(*each, values));
  return specs;
}

Result<void> check_shown(const std::string& method, const ParameterValues& values) {
  for (const auto* each : shown_methods(method))
    if (auto checked = check_method_values(*each, carried_values(*each, values)); !checked) return checked;
  return {};
}

Result<void> check_shown(const std::string& method, const PageParameters& page, const ParameterValues& values) {
  for (const auto* each : shown_methods(method)) {
    if (!each->check) continue;
    auto checked = guarded([&] { return each->check(carried(*each, page, values)); });
    if (!checked) return checked;
  }
  return {};
}

PageSides page_sides(const ShownPage& state) {
  const auto* info = find_page_info(state.id);
  const auto of = [&](const ParameterValues& values) { return kept_parameters(*info, values, state.method); };
  const auto values = of(state.values);
  return {values, state.other == state.values ? values : of(state.other)};
}

Result<void> check_page(const ShownPage& state, const PageSides& sides) {
  if (auto checked = check_method(state); !checked) return checked;
  const auto* info = find_page_info(state.id);
  if (auto checked = check_values(sides.values->specs, state.values); !checked) return checked;
  if (auto checked = check_shown(state.method, *sides.values, state.values); !checked) return checked;
  if (auto checked = check_values(page_lint(*info), state.lint); !checked) return checked;
  if (auto checked = check_look(*info, state); !checked) return checked;
  if (auto checked = check_values(sides.other->specs, state.other); !checked) return checked;
  return state.compare == CompareMode::none ? Result<void>() : check_shown(state.method, *sides.other, state.other);
}

Result<void> check_page(const ShownPage& state) {
  const auto checked = check_method(state);
  return checked ? check_page(state, page_sides(state)) : checked;
}

}  // namespace vqscope
