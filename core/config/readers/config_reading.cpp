// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/readers/config_reading.h"

#include "core/config/config_doctor.h"
#include "core/config/config_parts.h"
#include "core/config/family/config_keys.h"
#include "core/config/family/family_reading.h"
#include "core/encoding/rope/rope_scaling.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr std::size_t most_items = 8192;

/// The copy of an object without members as long as a vocabulary.
ConfigValue without_long_lists(const ConfigValue& value) {
  ConfigValue copy;
  copy.place = value.place;
  copy.key = value.key;
  copy.key_place = value.key_place;
  if (!value.object()) {
    copy.data = value.data;
    return copy;
  }
  ConfigValue::Object object;
  for (const auto& member : value.object()->members) {
    const bool long_list = member.list() && member.list()->size() > most_items;
    const bool wide = member.object() && member.object()->members.size() > most_items;
    if (!long_list && !wide) object.members.push_back(without_long_lists(member));
  }
  copy.data = std::move(object);
  return copy;
}

RopeReading rope_reading(const RopeUse& use) {
  RopeReading reading{.layers = use.layers,
                      .theta = use.rope_theta,
                      .type = use.rope_type,
                      .factor = rope_type(use.scaling.rope_type).reads("factor") ? use.scaling.factor : 1,
                      .trained = use.scaling.original_max_position_embeddings,
                      .attention_factor = use.attention_factor,
                      .softmax_factor = use.softmax_factor,
                      .inv_freq = {},
                      .interleaved = use.interleaved};
  for (const auto& pair : use.pairs) reading.inv_freq.push_back(pair.inv_freq);
  return reading;
}

/// The objects of the text model and those around it.
std::vector<ConfigValue*> models_in(ConfigValue& root) {
  std::vector<ConfigValue*> all{&root};
  for (bool deeper = true; deeper && all.size() < 8;) {
    deeper = false;
    for (const auto& key : text_model_keys()) {
      ConfigValue* child = member_of(*all.back(), key);
      if (!child || !child->object()) continue;
      all.push_back(child);
      deeper = true;
      break;
    }
  }
  return all;
}

}  // namespace

const RopeReading* ConfigReading::rope_of(std::string_view name) const {
  const auto it = std::ranges::find_if(ropes, [&](const RopeReading& each) { return each.layers == name; });
  if (it != ropes.end()) return &*it;
  const auto all = std::ranges::find_if(ropes, [](const RopeReading& each) { return each.layers.empty(); });
  if (all != ropes.end()) return &*all;
  return name.empty() && !ropes.empty() ? &ropes.front() : nullptr;
}

const ConfigValue& text_model_of(const ConfigValue& root) {
  const ConfigValue* model = &root;
  for (bool deeper = true; deeper;) {
    deeper = false;
    for (const auto& key : text_model_keys()) {
      const auto* child = model->find(key);
      if (!child || !child->object() || !describes_model(*child)) continue;
      model = child;
      deeper = true;
      break;
    }
  }
  return *model;
}

const ConfigValue* scaling_of(const ConfigValue& root, std::string_view layers) {
  const ConfigValue& model = text_model_of(root);
  for (const auto* key : {"rope_scaling", "rope_parameters"}) {
    const auto* object = model.find(key);
    if (!object || !object->object()) continue;
    const auto* own = layers.empty() ? nullptr : object->find(layers);
    return own && own->object() ? own : object;
  }
  return nullptr;
}

std::optional<double> scaling_number(const ConfigValue& root, std::string_view layers, std::string_view key) {
  const auto* object = scaling_of(root, layers);
  const auto* given = object ? object->find(key) : nullptr;
  const auto number = given ? given->number() : std::nullopt;
  return number && *number > 0 && std::isfinite(*number) ? number : std::nullopt;
}

void take_frequencies(const RopeScaling& scaling, RopeReading& rope) {
  const auto frequencies = rope_frequencies(scaling).inv_freq;
  rope.inv_freq.assign(frequencies.begin(), frequencies.end());
}

ConfigReading reading_of(std::string reader, const ConfigReport& report) {
  ConfigReading reading{.reader = std::move(reader), .refused = {}, .layers = report.layers, .ropes = {}};
  for (const auto& use : report.ropes) {
    reading.ropes.push_back(rope_reading(use));
    reading.longest = std::max(reading.longest, use.max_position_embeddings);
  }
  return reading;
}

ConfigReading edited_reading(std::string reader, const ConfigValue& root, void (*edit)(ConfigValue& model)) {
  ConfigValue copy = without_long_lists(root);
  for (ConfigValue* model : models_in(copy)) edit(*model);
  const auto report = ConfigDoctor(copy, ConfigDetails::without_implementations).examine();
  if (!report) return {.reader = std::move(reader), .refused = report.error().message, .layers = {}, .ropes = {}};
  ConfigReading reading = reading_of(std::move(reader), *report);
  if (!reading.ropes.empty()) return reading;
  const auto error = std::ranges::find(report->findings, ConfigSeverity::error, &ConfigFinding::severity);
  if (error != report->findings.end()) reading.refused = error->sentence;
  return reading;
}

std::optional<ConfigValue> read_by_class(const ConfigValue& root, const ConfigReport& report) {
  const auto* family = contradicting_family(root, report.model_type);
  if (!family) return std::nullopt;
  ConfigValue copy = without_long_lists(root);
  const auto models = models_in(copy);
  for (auto model = models.rbegin(); model != models.rend(); ++model) {
    ConfigValue* type = member_of(**model, "model_type");
    if (!type) continue;
    type->data = std::string(family->model_type);
    return copy;
  }
  return std::nullopt;
}

ConfigValue* member_of(ConfigValue& object, std::string_view key) {
  auto* members = std::get_if<ConfigValue::Object>(&object.data);
  if (!members) return nullptr;
  const auto it = std::ranges::find(members->members.rbegin(), members->members.rend(), key, &ConfigValue::key);
  return it == members->members.rend() ? nullptr : &*it;
}

void remove_member(ConfigValue& object, std::string_view key) {
  if (auto* members = std::get_if<ConfigValue::Object>(&object.data))
    std::erase_if(members->members, [&](const ConfigValue& each) { return each.key == key; });
}

}  // namespace vqscope
