// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/session.h"

#include "core/base/registry.h"

#include <algorithm>

namespace vqscope {
namespace {

std::vector<const Method*> methodsOf(const WorkspaceInfo& info) {
  std::vector<const Method*> all;
  for (const auto* ids : {&info.fields, &info.curves})
    for (const auto& id : *ids)
      if (const auto* method = find_method(id)) all.push_back(method);
  return all;
}

/// A method takes the page's values by name; a value that it does not know is another method's.
Result<void> checkValues(const WorkspaceInfo& info, const ParameterValues& values) {
  const auto specs = workspaceParameters(info);
  if (auto checked = check_values(specs, values); !checked) return checked;
  for (const auto* method : methodsOf(info))
    if (auto checked = check_method_values(*method, carried_values(*method, values)); !checked) return checked;
  return {};
}

}  // namespace

std::span<const WorkspaceInfo> workspaceInfos() {
  static const std::vector<WorkspaceInfo> all{
      {"buckets", "Buckets", "T5 relative position buckets over queries × keys", {"t5_bucket"}, {"t5_staircase"}},
      {"masks", "Masks", "Which keys each query may attend to", {"visibility"}, {}},
      {"rotary",
       "Rotary",
       "RoPE angles over position × frequency pair",
       {"rope_phase", "rope_cos", "rope_sin"},
       {"rope_wavelength"}},
      {"curves",
       "Curves",
       "What scalings of RoPE do to scores, wavelengths and phases; geometry, not performance",
       {},
       {"rope_score", "rope_wavelength", "rope_phase_ood"}},
  };
  return all;
}

const WorkspaceInfo* findWorkspaceInfo(std::string_view id) {
  const auto all = workspaceInfos();
  const auto it = std::ranges::find(all, id, &WorkspaceInfo::id);
  return it == all.end() ? nullptr : &*it;
}

const WorkspaceInfo* workspaceOf(const Method& method) {
  for (const auto& info : workspaceInfos())
    if (info.id == method.category) return &info;
  return nullptr;
}

std::vector<ParameterSpec> workspaceParameters(const WorkspaceInfo& info) {
  std::vector<ParameterSpec> specs;
  for (const auto* method : methodsOf(info))
    for (const auto& spec : method->parameters)
      if (!find_spec(specs, spec.name)) specs.push_back(spec);
  return specs;
}

WorkspaceState defaultWorkspace(const WorkspaceInfo& info) {
  WorkspaceState state;
  state.id = info.id;
  state.method = info.fields.empty() ? std::string() : info.fields.front();
  state.values = default_values(workspaceParameters(info));
  state.other = state.values;
  return state;
}

Session defaultSession() {
  Session session;
  for (const auto& info : workspaceInfos()) session.workspaces.push_back(defaultWorkspace(info));
  session.current = session.workspaces.front().id;
  return session;
}

WorkspaceState* findWorkspace(Session& session, std::string_view id) {
  const auto it = std::ranges::find(session.workspaces, id, &WorkspaceState::id);
  return it == session.workspaces.end() ? nullptr : &*it;
}

const WorkspaceState* findWorkspace(const Session& session, std::string_view id) {
  return findWorkspace(const_cast<Session&>(session), id);
}

std::optional<ParameterValues> subtrahend(const Method& method, const WorkspaceState& state) {
  if (!method.field() || state.compare != CompareMode::difference) return std::nullopt;
  return carried_values(method, state.other);
}

Result<void> checkWorkspace(const WorkspaceState& state) {
  const auto* info = findWorkspaceInfo(state.id);
  if (!info) return invalid("unknown workspace " + state.id);
  if (!info->fields.empty() && std::ranges::count(info->fields, state.method) == 0)
    return invalid("workspace " + state.id + " has no method " + state.method);
  if (auto checked = checkValues(*info, state.values); !checked) return checked;
  return state.compare == CompareMode::none ? Result<void>() : checkValues(*info, state.other);
}

}  // namespace vqscope
