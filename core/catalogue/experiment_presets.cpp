// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/experiment_presets.h"

#include "core/base/sentence.h"
#include "core/catalogue/parts.h"
#include "core/catalogue/registry.h"
#include "core/io/json/json_reader.h"
#include "core/method/value_json.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace vqscope {
namespace {

constexpr std::array<std::string_view, 8> preset_keys{"order", "title",  "experiment", "brief",
                                                      "note",  "source", "parameters", "quick"};

Result<std::string> text_of(const ConfigValue& json, const char* key) {
  const ConfigValue* value = json.find(key);
  if (!value || !value->text() || value->text()->empty()) return invalid("{} is missing but must be a text", key);
  return *value->text();
}

/// `values` with those of the object `key` in their place.
Result<ParameterValues> values_of(const Method& experiment, ParameterValues values, const ConfigValue& json,
                                  const char* key) {
  const ConfigValue* given = json.find(key);
  if (!given || !given->object()) return invalid("{} is missing but must be an object", key);
  for (const ConfigValue& member : given->object()->members) {
    const ParameterSpec* spec = find_spec(experiment.parameters, member.key);
    if (!spec) return invalid("unknown parameter {} of {}", shortened(member.key), experiment.id);
    auto value = read_value(*spec, member);
    if (!value) return value.error();
    values.set(spec->name, std::move(*value));
  }
  if (auto checked = check_method_values(experiment, values); !checked) return checked.error();
  return values;
}

}  // namespace

Result<ExperimentPreset> read_experiment_preset(std::string_view id, std::string_view json) {
  const auto read = read_json(json);
  if (!read) return read.error();
  if (auto checked = check_keys(*read, "preset", preset_keys); !checked) return checked.error();
  const ConfigValue* order = read->find("order");
  if (!order || !order->integer()) return invalid("order is missing but must be an integer");
  const auto title = text_of(*read, "title"), method = text_of(*read, "experiment"), brief = text_of(*read, "brief"),
             note = text_of(*read, "note"), source = text_of(*read, "source");
  for (const auto* text : {&title, &method, &brief, &note, &source})
    if (!*text) return text->error();
  const auto experiment = require_method(*method);
  if (!experiment) return experiment.error();
  const auto values = values_of(**experiment, default_values((*experiment)->parameters), *read, "parameters");
  if (!values) return values.error();
  ExperimentPreset preset{std::string(id), *order->integer(), *title, *experiment, *brief, *note, *source, *values};
  if (!read->find("quick")) return preset;
  auto quick = values_of(**experiment, *values, *read, "quick");
  if (!quick) return quick.error();
  preset.quick = std::move(*quick);
  return preset;
}

std::span<const ExperimentPreset> experiment_presets() {
  static const std::vector<ExperimentPreset> all = [] {
    std::vector<ExperimentPreset> presets;
    for (const Part& part : added_parts())
      for (const CompiledFile& file : part.questions) {
        auto preset = read_experiment_preset(file.name, file.text);
        assert(preset);  // a test reads each
        if (preset) presets.push_back(std::move(*preset));
      }
    std::ranges::stable_sort(presets, {}, &ExperimentPreset::order);
    return presets;
  }();
  return all;
}

Result<const ExperimentPreset*> require_experiment_preset(std::string_view id) {
  return require_entry(experiment_presets(), id, "preset",
                       fmt::format(" (vqscope list --presets shows all{})", left_out_remark()));
}

Result<PresetChoice> require_preset_choice(std::string_view name) {
  constexpr std::string_view ending = ":quick";
  const bool quick = name.ends_with(ending);
  const auto preset = require_experiment_preset(quick ? name.substr(0, name.size() - ending.size()) : name);
  if (!preset) return preset.error();
  if (quick && !(*preset)->quick) return invalid("preset {} has no quick form: leave out {}", (*preset)->id, ending);
  return PresetChoice{*preset, quick};
}

std::optional<PresetChoice> preset_of(const Method& experiment, const ParameterValues& values) {
  for (const ExperimentPreset& preset : experiment_presets()) {
    if (preset.experiment != &experiment) continue;
    if (preset.values == values) return PresetChoice{&preset, false};
    if (preset.quick == values) return PresetChoice{&preset, true};
  }
  return std::nullopt;
}

}  // namespace vqscope
