// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/method.h"

#include "core/curve/curve_set.h"
#include "core/field/field.h"

namespace vqscope {

Result<void> check_method_values(const Method& method, const ParameterValues& values) {
  if (auto checked = check_values(method.parameters, values); !checked) return checked;
  return method.check ? method.check(values) : Result<void>();
}

Result<std::shared_ptr<const Field>> make_field(const Method& method, const ParameterValues& values) {
  assert(method.field());
  if (auto checked = check_method_values(method, values); !checked) return checked.error();
  return method.field()->make(values);
}

Result<CurveSet> make_curves(const Method& method, const ParameterValues& values, std::stop_token stop) {
  assert(method.curves());
  if (auto checked = check_method_values(method, values); !checked) return checked.error();
  return method.curves()->make(values, std::move(stop));
}

ParameterValues carried_values(const Method& method, const ParameterValues& from) {
  ParameterValues values = default_values(method.parameters);
  for (const auto& spec : method.parameters)
    if (const auto* value = from.find(spec.name); value && check_value(spec, *value)) values.set(spec.name, *value);
  return values;
}

}  // namespace vqscope
