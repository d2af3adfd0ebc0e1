// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/page_parameters.h"

#include "core/base/guard.h"
#include "core/base/sentence.h"
#include "core/catalogue/registry.h"

#include <algorithm>
#include <optional>
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
  auto all = found(method->field() ? method->field()->companions : method->curves()->companions);
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

/// check_shown() with the page's parameters. Carried values are already known to be valid one by
/// one.
Result<void> check_together(const WorkspaceState& state, const PageParameters& page, const ParameterValues& values) {
  for (const auto* method : shown_methods(state.method)) {
    if (!method->check) continue;
    auto checked = guarded([&] { return method->check(carried(*method, page, values)); });
    if (!checked) return checked;
  }
  return {};
}

/// Values at a default of the method shown before, or of the page, take the default of the method
/// shown now, which may depend on other such values.
void take_defaults(std::span<const ParameterSpec> before, std::span<const ParameterSpec> page,
                   const std::string& method, ParameterValues& values) {
  const ParameterValues former = values;
  const auto stands = [&](std::span<const ParameterSpec> specs, const std::string& name) {
    const auto* old = find_spec(specs, name);
    const auto* value = former.find(name);
    return old && value && *value == old->fallback;
  };
  for (int round = 0; round < most_rounds; ++round) {
    const ParameterValues last = values;
    for (const auto& spec : shown_parameters(method, values))
      if (stands(before, spec.name) || stands(page, spec.name)) values.set(spec.name, spec.fallback);
    if (values == last) break;
  }
}

/// Adjusting values may change the range of others. Returns the final parameters, starting from
/// `parameters`.
PageParameters complete_values(const WorkspaceInfo& info, const std::string& method,
                               std::span<const ParameterSpec> former, PageParameters parameters,
                               ParameterValues& values) {
  std::vector<ParameterSpec> last;
  for (int round = 0; round < most_rounds; ++round) {
    auto next = completed_values(parameters.specs, values, former);
    if (next == values) break;
    values = std::move(next);
    last = std::exchange(parameters, page_parameters(info, values, method)).specs;
    former = last;
  }
  return parameters;
}

Result<void> check_names(const PageParameters& parameters, const ParameterValues& next, const ParameterValues& before) {
  for (const auto& [name, value] : next.map())
    if (!find_spec(parameters.specs, name) && !before.find(name)) return check_values(parameters.specs, next);
  return {};
}

Result<void> check_look(const WorkspaceInfo& info, const WorkspaceState& state) {
  if (!state.colour_map.empty() && std::ranges::count(colour_map_ids(), state.colour_map) == 0)
    return invalid("unknown colour map {}", state.colour_map);
  if (state.view && !is_showable(*state.view))
    return invalid("view must have an ascending pair of numbers for rows and for cols");
  for (const auto& [method, axes] : state.axes)
    if (std::ranges::count(info.curves, method) == 0) return invalid("{} has no curves {}", state.id, method);
  return {};
}

/// Checks the page's id and method, without which the page has no parameters.
Result<void> check_method(const WorkspaceState& state) {
  const auto* info = find_workspace_info(state.id);
  if (!info) return invalid("unknown workspace {}", shortened(state.id));
  if (!info->choices().empty() && std::ranges::count(info->choices(), state.method) == 0)
    return invalid("workspace {} has no method {}", state.id, shortened(state.method));
  return {};
}

/// Completes both sides of an edit, one after the other.
class EditCompletion {
 public:
  EditCompletion(WorkspaceState& next, const WorkspaceState& before, const PageSides& known, bool refuses_names)
      : m_info(*find_workspace_info(next.id)),
        m_next(next),
        m_before(before),
        m_known(known),
        m_refuses_names(refuses_names) {}

  Result<PageSides> run() {
    PageSides sides = m_known;
    for (const auto& [values, parameters] : {std::pair{&WorkspaceState::values, &PageSides::values},
                                             std::pair{&WorkspaceState::other, &PageSides::other}}) {
      if (m_next.method == m_before.method && m_next.*values == m_before.*values) continue;
      auto made = complete(m_next.*values, m_before.*values, *(m_known.*parameters));
      if (!made) return made.error();
      sides.*parameters = std::make_shared<const PageParameters>(std::move(*made));
    }
    m_next.contract = completed_values(workspace_contract(m_info), m_next.contract);
    return sides;
  }

 private:
  Result<PageParameters> complete(ParameterValues& values, const ParameterValues& before,
                                  const PageParameters& known) const {
    PageParameters parameters = page_parameters(m_info, values, m_next.method);
    if (m_refuses_names)
      if (auto named = check_names(parameters, values, before); !named) return named.error();
    if (m_next.method != m_before.method) {
      take_defaults(known.of_shown(), workspace_parameters(m_info, before), m_next.method, values);
      parameters = page_parameters(m_info, values, m_next.method);
    }
    return complete_values(m_info, m_next.method, known.specs, std::move(parameters), values);
  }

  const WorkspaceInfo& m_info;
  WorkspaceState& m_next;
  const WorkspaceState& m_before;
  const PageSides& m_known;
  bool m_refuses_names;
};

}  // namespace

PageParameters page_parameters(const WorkspaceInfo& info, const ParameterValues& values, const std::string& shown) {
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

std::vector<ParameterSpec> workspace_parameters(const WorkspaceInfo& info, const ParameterValues& values,
                                                const std::string& shown) {
  return page_parameters(info, values, shown).specs;
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

PageSides page_sides(const WorkspaceState& state) {
  const auto* info = find_workspace_info(state.id);
  const auto of = [&](const ParameterValues& values) {
    return std::make_shared<const PageParameters>(page_parameters(*info, values, state.method));
  };
  const auto values = of(state.values);
  return {values, state.other == state.values ? values : of(state.other)};
}

Result<PageSides> complete_edit(WorkspaceState& next, const WorkspaceState& before, const PageSides& known) {
  return EditCompletion(next, before, known, true).run();
}

void complete_workspace(WorkspaceState& state, const WorkspaceState& before) {
  (void)EditCompletion(state, before, page_sides(before), false).run();
}

Result<void> check_workspace(const WorkspaceState& state, const PageSides& sides) {
  if (auto checked = check_method(state); !checked) return checked;
  const auto* info = find_workspace_info(state.id);
  if (auto checked = check_values(sides.values->specs, state.values); !checked) return checked;
  if (auto checked = check_together(state, *sides.values, state.values); !checked) return checked;
  if (auto checked = check_values(workspace_contract(*info), state.contract); !checked) return checked;
  if (auto checked = check_look(*info, state); !checked) return checked;
  if (auto checked = check_values(sides.other->specs, state.other); !checked) return checked;
  return state.compare == CompareMode::none ? Result<void>() : check_together(state, *sides.other, state.other);
}

Result<void> check_workspace(const WorkspaceState& state) {
  const auto checked = check_method(state);
  return checked ? check_workspace(state, page_sides(state)) : checked;
}

}  // namespace vqscope
