// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments/text_inputs.h"

#include "app/cli/arguments/apply_setting.h"
#include "core/base/sentence.h"
#include "core/catalogue/registry.h"
#include "core/mask/preset/presets.h"
#include "core/method/free_name.h"

#include <algorithm>

namespace vqscope {
namespace {

/// The values of the method with this text and the settings that it takes; a value may free other
/// names. What cannot be applied is refused later.
ParameterValues valuesWith(const MethodArguments& arguments, const Method& method, const std::string& text) {
  ParameterValues values = default_values(method.parameters);
  values.set("mask", std::string(text_mask_id));
  values.set("mask_text", text);
  std::set<const Setting*> taken;
  for (bool more = true; more;) {
    more = false;
    const auto specs = parameters_of(method, values);
    values = completed_values(specs, values);
    for (const Setting& setting : arguments.settings) {
      if (setting.stated || !find_meant(specs, setting.name, method.id) || !taken.insert(&setting).second) continue;
      more = applySetting(setting, specs, method.id, values).has_value() || more;
    }
  }
  return values;
}

/// The size of a side of a given array.
std::optional<Index> sideOf(const ParameterValues& values, const BatchSide& side) {
  const auto* value = values.find(free_name_key(side.array));
  const auto* numbers = value ? std::get_if<std::vector<Index>>(value) : nullptr;
  if (!numbers || numbers->empty()) return {};
  std::vector<Index> shape{static_cast<Index>(numbers->size())};
  if (const auto* given = values.find(array_shape_key(side.array)))
    if (const auto* sides = std::get_if<std::vector<Index>>(given); sides && !sides->empty()) shape = *sides;
  return side.side < shape.size() ? std::optional(shape[side.side]) : std::nullopt;
}

}  // namespace

TextInputs textInputsOf(const MethodArguments& arguments, const std::string& text) {
  const Method& method = *find_method(arguments.method);
  const ParameterValues values = valuesWith(arguments, method, text);
  const auto specs = parameters_of(method, values);
  const auto sets = [&](std::string_view name) {
    return std::ranges::count(arguments.settings, name, &Setting::name) > 0;
  };
  TextInputs inputs{.readsBatch = find_spec(specs, "b") && !sets("b"),
                    .readsHead = find_spec(specs, "h") && !sets("h"),
                    .sizes = text_sizes_of(values)};
  for (const auto& spec : specs)
    if (const std::string_view name = free_name_of(spec.name); !name.empty()) inputs.free.emplace(name);
  for (const BatchSide& side : inputs.sizes.sides) {
    if (!inputs.free.contains(side.array)) continue;
    if (!side.of_heads) inputs.byBatch.insert(side.array);
    auto& into = side.of_heads ? inputs.heads : inputs.samples;
    if (const auto size = sideOf(values, side))
      into.push_back({*size, fmt::format("{} has {} {}", side.array, *size, side.of_heads ? "heads" : "samples")});
  }
  if (inputs.sizes.batch && inputs.sizes.batch->count > 1) inputs.samples.push_back(*inputs.sizes.batch);
  if (inputs.sizes.heads && inputs.sizes.heads->count > 1) inputs.heads.push_back(*inputs.sizes.heads);
  return inputs;
}

}  // namespace vqscope
