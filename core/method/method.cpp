// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/method.h"

#include "core/base/guard.h"
#include "core/field/field.h"
#include "core/method/curve_set.h"
#include "core/method/run_result.h"

#include <algorithm>

namespace vqscope {
namespace {

template <class T>
ParameterValue nearest_items(const ParameterSpec& spec, std::vector<T> items) {
  if (static_cast<Index>(items.size()) > spec.most_items) return spec.default_value;
  for (T& item : items) item = std::clamp(item, static_cast<T>(spec.minimum), static_cast<T>(spec.maximum));
  return items;
}

}  // namespace

std::string name_of(CurveOrigin origin) {
  switch (origin) {
    case CurveOrigin::geometry: return "geometry";
    case CurveOrigin::measured: return "measured";
    case CurveOrigin::published: break;
  }
  return "published";
}

namespace {

/// Only values of their parameter's type, otherwise unchecked: free parameters are determined
/// before values are checked.
std::vector<ParameterSpec> free_parameters_of(const Method& method, const ParameterValues& values) {
  const auto is_typed = [&](const auto& named) {
    const auto* spec = find_spec(method.parameters, named.first);
    return !spec || spec->default_value.index() == named.second.index();
  };
  if (std::ranges::all_of(values.map(), is_typed)) return method.free_parameters(values);
  ParameterValues typed;
  for (const auto& named : values.map())
    if (is_typed(named)) typed.set(named.first, named.second);
  return method.free_parameters(typed);
}

}  // namespace

std::vector<ParameterSpec> parameters_of(const Method& method, const ParameterValues& values) {
  std::vector<ParameterSpec> specs = method.parameters;
  if (!method.free_parameters) return specs;
  for (auto& own : free_parameters_of(method, values)) {
    const auto known = std::ranges::find(specs, own.name, &ParameterSpec::name);
    if (known == specs.end())
      specs.push_back(std::move(own));
    else
      *known = std::move(own);
  }
  return specs;
}

namespace {

Result<void> check_own_values(const Method& method, const ParameterValues& values) {
  if (!method.free_parameters) return check_values(method.parameters, values);
  return check_values(parameters_of(method, values), values);
}

/// Values that were valid are moved into the new range; others are errors.
ParameterValue within(const ParameterSpec& spec, const ParameterSpec* old, const ParameterValue& value) {
  if (!old || *old == spec || check_value(spec, value) || !check_value(*old, value)) return value;
  return nearest_value(spec, value);
}

}  // namespace

ParameterValues completed_values(std::span<const ParameterSpec> specs, const ParameterValues& values,
                                 std::span<const ParameterSpec> former) {
  ParameterValues completed;
  for (const auto& spec : specs) {
    const auto* value = values.find(spec.name);
    const auto* old = find_spec(former, spec.name);
    const bool untouched = value && old && *old != spec && *value == old->default_value;
    completed.set(spec.name, value && !untouched ? within(spec, old, *value) : spec.default_value);
  }
  return completed;
}

Result<void> check_method_values(const Method& method, const ParameterValues& values) {
  return guarded([&]() -> Result<void> {
    if (auto checked = check_own_values(method, values); !checked) return checked;
    return method.check ? method.check(values) : Result<void>();
  });
}

Result<std::shared_ptr<const Field>> make_field(const Method& method, const ParameterValues& values, const Work& work) {
  assert(method.field());
  const FieldRecipe& recipe = *method.field();
  return guarded([&]() -> Result<std::shared_ptr<const Field>> {
    auto checked = recipe.make_checks ? check_own_values(method, values) : check_method_values(method, values);
    if (!checked) return checked.error();
    return recipe.make(values, work);
  });
}

Result<CurveSet> make_curves(const Method& method, const ParameterValues& values, const Work& work) {
  assert(method.curves());
  if (auto checked = check_method_values(method, values); !checked) return checked.error();
  return guarded([&] { return method.curves()->make(values, work); });
}

Result<RunResult> make_run(const Method& method, RunRequest request, const ParameterValues& values, const Work& work) {
  assert(method.run());
  if (auto checked = check_method_values(method, values); !checked) return checked.error();
  return guarded([&] { return method.run()->make(std::move(request), values, work); });
}

ParameterValues carried_values(const Method& method, const ParameterValues& from) {
  const auto carry = [&](std::span<const ParameterSpec> specs) {
    ParameterValues values = default_values(specs);
    for (const auto& spec : specs)
      if (const auto* value = from.find(spec.name); value && check_value(spec, *value)) values.set(spec.name, *value);
    return values;
  };
  ParameterValues values = carry(method.parameters);
  // Free names of a text may depend on the values of other free names.
  constexpr int most_rounds = 8;
  for (int round = 0; method.free_parameters && round < most_rounds; ++round) {
    ParameterValues next = carry(parameters_of(method, values));
    if (next == values) break;
    values = std::move(next);
  }
  return values;
}

ParameterValue nearest_value(const ParameterSpec& spec, const ParameterValue& value) {
  if (value.index() != spec.default_value.index()) return spec.default_value;
  switch (spec.kind) {
    case ParameterKind::integer:
      return std::clamp(std::get<Index>(value), static_cast<Index>(spec.minimum), static_cast<Index>(spec.maximum));
    case ParameterKind::real: return std::clamp(std::get<double>(value), spec.minimum, spec.maximum);
    case ParameterKind::integer_list: return nearest_items(spec, std::get<std::vector<Index>>(value));
    case ParameterKind::real_list: return nearest_items(spec, std::get<std::vector<double>>(value));
    case ParameterKind::choice_set: {
      auto ids = std::get<std::vector<std::string>>(value);
      std::erase_if(ids, [&](const std::string& id) { return std::ranges::count(spec.choices, id, &Choice::id) == 0; });
      return ids;
    }
    case ParameterKind::boolean:
    case ParameterKind::choice:
    case ParameterKind::text:
    case ParameterKind::tensor: break;
  }
  return spec.default_value;
}

}  // namespace vqscope
