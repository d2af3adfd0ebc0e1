// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/session.h"

#include "core/base/text.h"
#include "core/catalogue/registry.h"
#include "core/lint/contract_case.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

std::vector<const Method*> found(std::span<const std::string> ids) {
  std::vector<const Method*> all;
  for (const auto& id : ids)
    if (const auto* method = find_method(id)) all.push_back(method);
  return all;
}

/// The method and the curves beside it.
std::vector<const Method*> shown_methods(const std::string& shown) {
  const Method* method = find_method(shown);
  if (!method || method->run()) return {};
  auto all = found(method->field() ? method->field()->companions : method->curves()->companions);
  all.insert(all.begin(), method);
  return all;
}

/// A page has the field methods of its category, the curves that explain them, and the other curves of the category.
WorkspaceInfo page_of(std::string id, std::string title, std::string help) {
  WorkspaceInfo info{std::move(id), std::move(title), std::move(help), {}, {}};
  const auto add = [](std::vector<std::string>& ids, const std::string& each) {
    if (std::ranges::count(ids, each) == 0) ids.push_back(each);
  };
  for (const auto& method : methods()) {
    if (method.category != info.id || !method.field()) continue;
    add(info.fields, method.id);
    for (const auto& companion : method.field()->companions) add(info.curves, companion);
  }
  for (const auto& method : methods())
    if (method.category == info.id && method.curves()) add(info.curves, method.id);
  return info;
}

void add_specs(std::vector<ParameterSpec>& specs, const Method& method, const ParameterValues& values) {
  for (auto& spec : parameters_of(method, values))
    if (!find_spec(specs, spec.name)) specs.push_back(std::move(spec));
}

Result<void> check_page(const WorkspaceInfo& info, const std::string& shown, const ParameterValues& values) {
  return check_values(workspace_parameters(info, values, shown), values);
}

Result<void> check_look(const WorkspaceInfo& info, const WorkspaceState& state) {
  if (!state.colour_map.empty() && std::ranges::count(colour_map_ids(), state.colour_map) == 0)
    return invalid("unknown colour map " + state.colour_map);
  if (state.view && !is_showable(*state.view)) return invalid("view must be two ascending ends of rows and of columns");
  for (const auto& [method, axes] : state.axes)
    if (std::ranges::count(info.curves, method) == 0) return invalid(state.id + " has no curves " + method);
  return {};
}

}  // namespace

const std::vector<std::string>& aggregate_names() {
  static const std::vector<std::string> all{"mean", "min", "max"};
  return all;
}

std::span<const std::string> colour_map_ids() {
  static const std::vector<std::string> all{"viridis", "cividis", "magma", "diverging", "twilight"};
  return all;
}

std::span<const WorkspaceInfo> workspace_infos() {
  static const std::vector<WorkspaceInfo> all{
      page_of("buckets", "Buckets", "T5 relative position buckets over queries × keys"),
      page_of("masks", "Masks", "Which keys each query may attend to"),
      page_of("rotary", "Rotary", "RoPE angles over position × frequency pair"),
      page_of("curves", "Curves",
              "How RoPE scalings change scores, wavelengths and phases; geometry, not model quality"),
      page_of("biases", "Biases", "Biases that encodings add to the score of query q and key k"),
      page_of("scores", "Scores", "Scores between identical tokens at different positions"),
      page_of("tables", "Tables", "Absolute embeddings of each position, by dimension"),
      page_of("precision", "Precision", "Rounding errors of float32, bfloat16 and float16 in phases and buckets"),
      page_of("vq", "VQ",
              "Attention with keys replaced by codewords, on synthetic data or your own tensors: weights, shortcodes, "
              "cache"),
      page_of("experiments", "Experiments",
              "Accuracy and run time of quantised keys, measured here on synthetic data or your own tensors"),
      {"survey", "Survey", "Properties of each position encoding", {}, {}},
  };
  return all;
}

const WorkspaceInfo* find_workspace_info(std::string_view id) {
  const auto all = workspace_infos();
  const auto it = std::ranges::find(all, id, &WorkspaceInfo::id);
  return it == all.end() ? nullptr : &*it;
}

const WorkspaceInfo* workspace_of(const Method& method) {
  for (const auto& info : workspace_infos())
    if (info.id == method.category) return &info;
  return nullptr;
}

std::vector<ParameterSpec> workspace_parameters(const WorkspaceInfo& info, const ParameterValues& values,
                                                const std::string& shown) {
  std::vector<ParameterSpec> specs = shown_parameters(shown, values);
  for (const auto* ids : {&info.fields, &info.curves})
    for (const auto* method : found(*ids)) add_specs(specs, *method, values);
  return specs;
}

namespace {

/// Parameters that parameters bring along bring along others at most so many times.
constexpr int most_rounds = 8;

/// What stands at a default, of the method that was shown or of the page, takes that of the one that is shown now,
/// which may depend on other values that do.
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

/// Values that come into range may change the range of others.
void complete_values(const WorkspaceInfo& info, const std::string& method, std::vector<ParameterSpec> former,
                     ParameterValues& values) {
  for (int round = 0; round < most_rounds; ++round) {
    auto specs = workspace_parameters(info, values, method);
    auto next = completed_values(specs, values, former);
    if (next == values) break;
    values = std::move(next);
    former = std::move(specs);
  }
}

}  // namespace

std::vector<ParameterSpec> workspace_contract(const WorkspaceInfo& info) {
  const bool masks = std::ranges::count(info.fields, "visibility") > 0;
  return masks ? contract_parameters() : std::vector<ParameterSpec>();
}

std::vector<ParameterSpec> shown_parameters(const std::string& method, const ParameterValues& values) {
  std::vector<ParameterSpec> specs;
  for (const auto* each : shown_methods(method)) add_specs(specs, *each, values);
  return specs;
}

void complete_workspace(WorkspaceState& state, const WorkspaceState& before) {
  const auto* info = find_workspace_info(state.id);
  for (const auto& [values, former] :
       {std::pair{&state.values, &before.values}, std::pair{&state.other, &before.other}}) {
    const auto page = workspace_parameters(*info, *former);
    if (state.method != before.method)
      take_defaults(shown_parameters(before.method, *former), page, state.method, *values);
    complete_values(*info, state.method, workspace_parameters(*info, *former, before.method), *values);
  }
  state.contract = completed_values(workspace_contract(*info), state.contract);
}

WorkspaceState default_workspace(const WorkspaceInfo& info) {
  WorkspaceState state;
  state.id = info.id;
  if (!info.choices().empty()) state.method = info.choices().front();
  state.values = default_values(workspace_parameters(info));
  state.other = state.values;
  state.contract = default_values(workspace_contract(info));
  return state;
}

Session default_session() {
  Session session;
  for (const auto& info : workspace_infos()) session.workspaces.push_back(default_workspace(info));
  session.current = session.workspaces.front().id;
  return session;
}

WorkspaceState* find_workspace(Session& session, std::string_view id) {
  const auto it = std::ranges::find(session.workspaces, id, &WorkspaceState::id);
  return it == session.workspaces.end() ? nullptr : &*it;
}

const WorkspaceState* find_workspace(const Session& session, std::string_view id) {
  return find_workspace(const_cast<Session&>(session), id);
}

std::optional<ParameterValues> subtrahend(const Method& method, const WorkspaceState& state) {
  if (!method.field() || state.compare != CompareMode::difference) return std::nullopt;
  return carried_values(method, state.other);
}

Result<void> check_shown(const std::string& method, const ParameterValues& values) {
  for (const auto* each : shown_methods(method))
    if (auto checked = check_method_values(*each, carried_values(*each, values)); !checked) return checked;
  return {};
}

bool is_showable(const ViewRange& view) {
  constexpr double farthest = 0x1p34;  // beyond every matrix
  const auto near = [&](double end) { return std::abs(end) <= farthest; };
  return near(view.row_first) && near(view.row_last) && near(view.col_first) && near(view.col_last) &&
         view.row_first < view.row_last && view.col_first < view.col_last;
}

Result<void> check_workspace(const WorkspaceState& state) {
  const auto* info = find_workspace_info(state.id);
  if (!info) return invalid("unknown workspace " + shortened(state.id));
  if (!info->choices().empty() && std::ranges::count(info->choices(), state.method) == 0)
    return invalid("workspace " + state.id + " has no method " + shortened(state.method));
  if (auto checked = check_page(*info, state.method, state.values); !checked) return checked;
  if (auto checked = check_shown(state.method, state.values); !checked) return checked;
  if (auto checked = check_values(workspace_contract(*info), state.contract); !checked) return checked;
  if (auto checked = check_look(*info, state); !checked) return checked;
  if (auto checked = check_page(*info, state.method, state.other); !checked) return checked;
  return state.compare == CompareMode::none ? Result<void>() : check_shown(state.method, state.other);
}

}  // namespace vqscope
