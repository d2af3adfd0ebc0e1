// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export_request.h"

#include "core/base/registry.h"
#include "core/base/text.h"
#include "core/field/difference_field.h"
#include "widgets/session/session_json.h"

#include <algorithm>

namespace vqscope {
namespace {

bool shows(const WorkspaceInfo& info, const Method& method) {
  return std::ranges::count(info.fields, method.id) + std::ranges::count(info.curves, method.id) > 0;
}

/// The page on top if it shows the method, else the method's own page, else the first that shows it.
const WorkspaceState* pageOf(const Session& session, const Method& method) {
  const auto* home = workspaceOf(method);
  std::vector<std::string> ids{session.current, home ? home->id : std::string()};
  for (const auto& info : workspaceInfos()) ids.push_back(info.id);
  for (const auto& id : ids)
    if (const auto* info = findWorkspaceInfo(id); info && shows(*info, method)) return findWorkspace(session, id);
  return nullptr;
}

/// Forms show labels, so a person may type one: T for q_length.
std::string nameHint(std::span<const ParameterSpec> specs, const std::string& given) {
  std::vector<std::string> names;
  for (const auto& spec : specs) {
    if (spec.label == given) return "; did you mean " + spec.name + "?";
    names.push_back(spec.name);
  }
  return did_you_mean(given, names);
}

std::optional<Range> resolved(const std::optional<PartialRange>& range, Index size) {
  if (!range) return std::nullopt;
  return Range{range->begin.value_or(0), range->end.value_or(size)};
}

Result<std::optional<Rect>> blockOf(const ExportArguments& arguments, const ExportRequest& request) {
  if (!arguments.rows && !arguments.cols) return std::optional<Rect>();
  if (!request.method->field())
    return invalid(std::string(arguments.rows ? "--rows" : "--cols") + " is for matrices, " + request.method->id +
                   " is a set of curves");
  const auto field = make_field(*request.method, request.values);  // a difference has the same extent
  if (!field) return field.error();
  const Extent extent = (*field)->extent();
  const auto block = block_within(extent, resolved(arguments.rows, extent.rows), resolved(arguments.cols, extent.cols));
  if (!block) return block.error();
  return std::optional<Rect>(*block);
}

void applyLook(const ExportArguments& arguments, ExportRequest& request) {
  request.force = arguments.force;
  if (arguments.dpi) request.figure.dpi = *arguments.dpi;
  if (arguments.aggregate) request.look.aggregate = *arguments.aggregate;
  if (arguments.colourMap) request.look.colour_map = *arguments.colourMap;
  for (const auto& [name, value] : request.values.map()) request.look.values.set(name, value);
}

/// The matrix to subtract has the values of the other one, but for what --minus says.
Result<void> applyMinus(const ExportArguments& arguments, ExportRequest& request) {
  if (arguments.minus.empty()) return {};
  const Method& method = *request.method;
  if (!method.field()) return invalid("--minus is for matrices, " + method.id + " is a set of curves");
  ParameterValues other = request.values;
  for (const auto& setting : arguments.minus)
    if (auto applied = applySetting(setting, method.parameters, method.id, other); !applied) return applied;
  request.look.compare = CompareMode::difference;
  request.look.other = std::move(other);
  return {};
}

}  // namespace

Result<WorkspaceState> startingPage(const Method& method, const std::optional<QString>& path) {
  const auto session = path ? readSession(*path) : Result<Session>(defaultSession());
  if (!session) return session.error();
  if (const auto* page = pageOf(*session, method)) return *page;
  if (path) return invalid(path->toStdString() + ": no page of a session shows " + method.id);
  return WorkspaceState{};
}

Result<void> applySetting(const Setting& setting, std::span<const ParameterSpec> specs, const std::string& owner,
                          ParameterValues& values) {
  const auto* spec = find_spec(specs, setting.name);
  if (!spec) return invalid("unknown parameter " + setting.name + " of " + owner + nameHint(specs, setting.name));
  if (setting.array && spec->kind != ParameterKind::integer_list)
    return invalid(setting.name + " is no array, give it with --set");
  auto value = parse_value(*spec, setting.value);
  if (!value) return value.error();
  values.set(setting.name, std::move(*value));
  return {};
}

ExportRequest requestOf(const Method& method, const WorkspaceState& page) {
  ExportRequest request{.method = &method, .values = carried_values(method, page.values), .look = page};
  if (method.field()) request.look.method = method.id;
  return request;
}

Result<ExportRequest> exportRequest(const ExportArguments& arguments) {
  const auto method = require_method(arguments.method);
  if (!method) return method.error();
  const auto page = startingPage(**method, arguments.session);
  if (!page) return page.error();
  ExportRequest request = requestOf(**method, *page);
  for (const auto& setting : arguments.settings)
    if (auto applied = applySetting(setting, (*method)->parameters, (*method)->id, request.values); !applied)
      return applied.error();
  if (auto checked = check_method_values(**method, request.values); !checked) return checked.error();
  if (auto applied = applyMinus(arguments, request); !applied) return applied.error();
  if (const auto minus = subtrahend(**method, request.look))
    if (auto compared = make_compared_field(**method, request.values, minus); !compared) return compared.error();
  auto block = blockOf(arguments, request);
  if (!block) return block.error();
  request.cells = *block;
  applyLook(arguments, request);
  return request;
}

}  // namespace vqscope
