// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/shared/borrowed.h"

#include "core/base/sentence.h"
#include "core/field/field.h"

#include <algorithm>
#include <cassert>

namespace vqscope {

void borrow_parameters(std::vector<ParameterSpec>& specs, std::span<const ParameterSpec> from, const std::string& set,
                       const std::string& id) {
  for (const auto& spec : from) {
    if (spec.role != ParameterRole::method) continue;
    auto known = std::ranges::find(specs, spec.name, &ParameterSpec::name);
    if (known == specs.end()) {
      specs.push_back(spec);
      known = specs.end() - 1;
      if (spec.relevant.empty()) known->relevant = {{set, {}}};
    }
    for (auto& relevance : known->relevant)
      if (relevance.name == set) relevance.values.push_back(id);
  }
}

ParameterValues borrowed_values(const Method& method, const ParameterValues& values) {
  ParameterValues own = default_values(method.parameters);
  for (const auto& spec : method.parameters)
    if (const auto* value = values.find(spec.name); value && spec.role == ParameterRole::method)
      own.set(spec.name, *value);
  return own;
}

Result<void> check_borrowed(const Method& method, const ParameterValues& values) {
  if (auto checked = check_method_values(method, borrowed_values(method, values)); !checked)
    return invalid("{}: {}", method.id, checked.error().message);
  return {};
}

Result<RelativeFunction> borrowed_function(const Method& method, const ParameterValues& values) {
  const auto field = make_field(method, borrowed_values(method, values));
  if (!field) return field.error();
  const FieldForm form = (*field)->form();
  assert(std::holds_alternative<RelativeForm>(form));
  return *std::get<RelativeForm>(form).function;
}

}  // namespace vqscope
