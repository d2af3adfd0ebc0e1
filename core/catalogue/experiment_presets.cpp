// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/experiment_presets.h"

#include "core/base/sentence.h"
#include "core/catalogue/parts.h"
#include "core/catalogue/registry.h"
#include "core/io/json/json_reader.h"
#include "core/method/value_json.h"

#include <array>
#include <cassert>

namespace vqscope {
namespace {

constexpr std::array<std::string_view, 6> preset_keys{"order", "title", "experiment", "note", "source", "parameters"};

Result<std::string> text_of(const ConfigValue& json, const char* key) {
  const ConfigValue* value = json.find(key);
  if (!value || !value->text() || value->text()->empty()) return invalid("{} is missing but must be a text", key);
  return *value->text();
}

/// The experiment's defaults with the preset's values in their place.
Result<ParameterValues> values_of(const Method& experiment, const ConfigValue& json) {
  ParameterValues values = default_values(experiment.parameters);
  const ConfigValue* given = json.find("parameters");
  if (!given || !given->object()) return invalid("parameters is missing but must be an object");
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
  const auto title = text_of(*read, "title"), method = text_of(*read, "experiment"), note = text_of(*read, "note"),
             source = text_of(*read, "source");
  for (const auto* text : {&title, &method, &note, &source})
    if (!*text) return text->error();
  const auto experiment = require_method(*method);
  if (!experiment) return experiment.error();
  auto values = values_of(**experiment, *read);
  if (!values) return values.error();
  return ExperimentPreset{std::string(id), *order->integer(), *title, *experiment, *note, *source, std::move(*values)};
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
    return presets;
  }();
  return all;
}

Result<const ExperimentPreset*> require_experiment_preset(std::string_view id) {
  return require_entry(experiment_presets(), id, "preset",
                       fmt::format(" (vqscope list --presets shows all{})", left_out_remark()));
}

}  // namespace vqscope
