// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments/contract_request.h"

#include "app/cli/arguments/export_request.h"
#include "core/method/free_name.h"

namespace vqscope {

Result<ContractCase> contractRequest(const MethodArguments& arguments) {
  const auto specs = contract_parameters();
  MethodArguments making = arguments;
  making.settings.clear();
  std::vector<Setting> stating;
  for (const auto& setting : arguments.settings)
    (find_meant(specs, setting.name, "contract") ? stating : making.settings).push_back(setting);
  auto request = methodRequest(making);
  if (!request) return request.error();
  // A free name of the mask's text, or a parameter of this mask, belongs to the mask even if the contract has a
  // parameter of the same name. A list describes the same tokens in both, so both take it.
  const Method& method = *request->method;
  const auto own = parameters_of(method, request->values);
  ParameterValues stated = completed_values(specs, request->look.contract);
  for (const auto& setting : stating) {
    const auto* meant = find_meant(own, setting.name, method.id);
    const bool of_mask = !setting.stated && meant && is_relevant(*meant, request->values);
    if (of_mask)
      if (auto applied = applySetting(setting, own, method.id, request->values); !applied) return applied.error();
    if (!of_mask || setting.array)
      if (auto applied = applySetting(setting, specs, "contract", stated); !applied) return applied.error();
  }
  if (auto checked = check_method_values(method, request->values); !checked) return checked.error();
  if (auto checked = check_values(specs, stated); !checked) return checked.error();
  auto base = contract_case(request->values);
  if (!base) return base.error();
  return contract_case(std::move(*base), stated);
}

}  // namespace vqscope
