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
  for (const TextSide& side : inputs.sizes.sides) {
    const bool ofBatch = side.by == TextSide::By::batch;
    if (!ofBatch && side.by != TextSide::By::head) continue;
    if (ofBatch && inputs.free.contains(side.array)) inputs.byBatch.insert(side.array);
    auto& into = ofBatch ? inputs.samples : inputs.heads;
    if (side.size)
      into.push_back({*side.size, fmt::format("{} has {} {}", side.array, *side.size, ofBatch ? "samples" : "heads")});
  }
  if (inputs.sizes.batch && inputs.sizes.batch->count > 1) inputs.samples.push_back(*inputs.sizes.batch);
  if (inputs.sizes.heads && inputs.sizes.heads->count > 1) inputs.heads.push_back(*inputs.sizes.heads);
  return inputs;
}

}  // namespace vqscope
