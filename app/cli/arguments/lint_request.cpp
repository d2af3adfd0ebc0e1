// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments/lint_request.h"

#include "app/cli/arguments/apply_setting.h"
#include "app/cli/arguments/export_request.h"
#include "app/cli/arguments/samples.h"
#include "core/base/sentence.h"
#include "core/lint/lint.h"
#include "core/method/free_name.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

namespace vqscope {
namespace {

/// Applies the settings that are the mask's and returns them. A free name of the mask's text, or a
/// parameter of this mask, belongs to the mask even if the lint settings have a parameter of the
/// same name. A list describes the same tokens in both, so both take it. A value may free other
/// names: `if window is not None`.
Result<std::set<const Setting*>> takeSettingsOfMask(const std::vector<Setting>& settings, const Method& method,
                                                    ParameterValues& values) {
  std::set<const Setting*> taken;
  auto specs = parameters_of(method, values);
  for (std::size_t before = settings.size(); taken.size() != before;) {
    before = taken.size();
    for (const auto& setting : settings) {
      const auto* meant = find_meant(specs, setting.name, method.id);
      if (setting.stated || !meant || !is_relevant(*meant, values) || !taken.insert(&setting).second) continue;
      if (auto applied = applySetting(setting, specs, method.id, values); !applied) return applied.error();
      const auto former = std::move(specs);
      values = completed_values(parameters_of(method, values), values, former);
      specs = parameters_of(method, values);
    }
  }
  return taken;
}

/// Of a batch one sample.
Result<MethodArguments> oneStated(MethodArguments arguments) {
  arguments.states = true;
  return arguments.isOneSample ? Result<MethodArguments>(std::move(arguments)) : oneSampleOf(arguments);
}

}  // namespace

Result<StatedRequest> statedRequest(const MethodArguments& given) {
  const auto one = oneStated(given);
  if (!one) return one.error();
  const MethodArguments& arguments = *one;
  const auto specs = lint_parameters();
  MethodArguments making = arguments;
  making.settings.clear();
  std::vector<Setting> stating;
  for (const auto& setting : arguments.settings)
    (find_meant(specs, setting.name, "contract") ? stating : making.settings).push_back(setting);
  auto request = methodRequest(making);
  if (!request) return request.error();
  const Method& method = *request->method;
  auto ofMask = takeSettingsOfMask(stating, method, request->values);
  if (!ofMask) return ofMask.error();
  ParameterValues stated = completed_values(specs, request->look.lint);
  const auto isList = [&](const Setting& setting) {
    return setting.array && is_number_list(find_meant(specs, setting.name, "contract")->kind);
  };
  for (const auto& setting : stating)
    if (!ofMask->contains(&setting) || isList(setting))
      if (auto applied = applySetting(setting, specs, "contract", stated); !applied) return applied.error();
  if (auto checked = check_method_values(method, request->values); !checked) return checked.error();
  if (auto checked = check_values(specs, stated); !checked) return checked.error();
  return StatedRequest{std::move(*request), std::move(stated)};
}

std::string ruleChoices() {
  std::vector<std::string> ids;
  for (const auto& rule : lint_rules()) ids.push_back(rule.id);
  return join(ids, " ");
}

std::string objectiveChoices() {
  std::vector<std::string> names;
  const auto specs = lint_parameters();
  const auto* objective = find_spec(specs, "objective");
  for (const auto& choice : objective ? objective->choices : std::vector<Choice>())
    if (choice.id != unset_choice) names.push_back(choice.id);
  return join(names, " ");
}

Result<void> addRule(std::vector<std::string>& rules, const std::string& id) {
  std::vector<std::string> known;
  for (const auto& rule : lint_rules()) known.push_back(rule.id);
  rules.push_back(id);
  if (std::ranges::count(known, id) > 0) return {};
  return invalid("unknown rule " + shortened(id) + did_you_mean(id, known) + " (see vqscope check --list-rules)");
}

Result<LintCase> lintRequest(const StatedRequest& mask) {
  auto base = lint_case(mask.request.values);
  if (!base) return base.error();
  return lint_case(std::move(*base), mask.stated);
}

}  // namespace vqscope
