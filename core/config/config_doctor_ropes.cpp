// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/config/config_doctor.h"
#include "core/config/config_parts.h"
#include "core/config/family/family_reading.h"
#include "core/config/layer/layer_reading.h"
#include "core/config/rope/rope_reading.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr std::size_t most_layer_types = 64;  // published models have two

/// The theta inside a scaling; otherwise that of the class.
double inner_theta(const ConfigObject* object, const ModelFamily& family) {
  const auto given = object && object->has("rope_theta") ? object->number("rope_theta", thetas) : std::nullopt;
  return given.value_or(family.theta);
}

}  // namespace

void ConfigDoctor::read_rope_of(const ConfigRopeSource& source) {
  auto use = read_rope(model(), source, m_rope_keys);
  if (!use) return;
  report_pairs(*use);
  if (m_details == ConfigDetails::all)
    report_implementations(*use, source.object, has_latent_attention(model(), *source.family),
                           source.family->model_type);
  for (auto& view : rope_views(*use)) m_report.views.push_back(std::move(view));
  m_report.ropes.push_back(std::move(*use));
}

/// One scaling per layer type, as in configs of Gemma 3.
void ConfigDoctor::read_layers_of(const ConfigObject& object) {
  const auto count = object.value().object()->members.size();
  if (count > most_layer_types)
    return m_ledger.add(
        ConfigSeverity::error, object.path(), object.value().place,
        fmt::format("{} has {} types of layers, at most {} are read", object.path(), count, most_layer_types));
  for (const auto& member : object.value().object()->members) {
    m_ledger.mark_read(member);
    const std::string path = object.path_of(member.key);
    if (member.is_null() && m_family->null_nope) {
      m_rope_keys.push_back({path, member.key_place, member.shown(), KeyUse::read, ""});
      continue;
    }
    if (member.is_null()) {  // the class's default
      read_rope_of({shortened(member.key), nullptr, theta_key_of(member.key), m_family, theta_of(member.key)});
      continue;
    }
    if (member.key == "truncate" && member.boolean()) {  // of every yarn in the object
      m_rope_keys.push_back({path, member.key_place, member.shown(), KeyUse::read, ""});
      continue;
    }
    if (!member.object()) {
      object.warning(member.key,
                     fmt::format("{} is {} beside objects for layer types and is not read", path, member.shown()));
      m_rope_keys.push_back({path, member.key_place, member.shown(), KeyUse::ignored, "beside types of layers"});
      continue;
    }
    if (is_unread_type(member.key)) {
      object.warning(member.key, fmt::format("{} is no type of layer of this model: Hugging Face does not read it, and "
                                             "the layers without an object have the defaults of the class",
                                             path));
      m_rope_keys.push_back({path, member.key_place, member.shown(), KeyUse::ignored, "no type of layer"});
      continue;
    }
    m_rope_keys.push_back({path, member.key_place, member.shown(), KeyUse::read, ""});
    const ConfigObject layers(member, path, m_ledger);
    read_rope_of(
        {shortened(member.key), &layers, theta_key_of(member.key), m_family, theta_of(member.key), 0, &object});
  }
  if (m_family->local_theta > 0) read_missing_layers();
}

/// Whether a class that has windows of its own RoPE, and layers by their usual names, has no layers
/// of this one.
bool ConfigDoctor::is_unread_type(std::string_view name) const {
  const auto is = [&](std::string_view each) { return name == each; };
  if (m_family->local_theta == 0 || m_family->remote() || is(full_layers) || is(sliding_layers)) return false;
  const auto* listed = model().value().find("layer_types");
  const auto names = [&](const ConfigValue& item) { return item.text() && *item.text() == name; };
  if (listed && listed->list()) return std::ranges::none_of(*listed->list(), names);
  return is("global") || is("local") || is("full") || is("sliding");
}

/// Types of layers that the object leaves out have the class's defaults.
void ConfigDoctor::read_missing_layers() {
  for (const auto name : {full_layers, sliding_layers})
    if (layers_of(name) > 0 && std::ranges::count(m_report.ropes, name, &RopeUse::layers) == 0)
      read_rope_of({std::string(name), nullptr, theta_key_of(name), m_family, theta_of(name)});
}

std::string ConfigDoctor::local_theta_key() const {
  return model().first_of({"rope_local_base_freq", "local_rope_theta", "swa_rope_theta", "rope_local_theta"});
}

/// The key of the theta of layers of this name, beside the object with the scalings.
std::string ConfigDoctor::theta_key_of(std::string_view name) const {
  return name == sliding_layers && model().has(local_theta_key()) ? local_theta_key() : "rope_theta";
}

double ConfigDoctor::theta_of(std::string_view layers) const {
  return layers == sliding_layers && m_family->local_theta > 0 ? m_family->local_theta : m_family->theta;
}

void ConfigDoctor::read_ropes() {
  ScalingSource source;
  const Index errors = m_ledger.errors();
  const ConfigObject* object = source.find(model(), *m_family);
  if (m_ledger.errors() > errors) return;
  if (object && std::ranges::any_of(object->value().object()->members, [](const auto& m) { return m.object(); }))
    read_layers_of(*object);
  else
    read_unlike_layers(object);
  if (source.is_default()) m_rope_keys.clear();
  assign_ropes(m_report.ropes, m_report.schedule);
  read_layer_details(model(), object, *m_family, m_report.schedule.layers);
  read_index_pairs(model(), *m_family, m_report.schedule);
  if (m_report.ropes.empty())  // after an error that came first
    for (const auto key : {"rope_theta", "max_position_embeddings", "hidden_size", "num_attention_heads"})
      model().take(key);
  report_layers_without_rope();
}

/// Reads one RoPE for all layers, or one each for layers with and without a window, if these have a
/// theta of their own or the scaling applies to full layers only.
void ConfigDoctor::read_unlike_layers(const ConfigObject* object) {
  if (read_listed_layers(object) || read_thetas_of_layers(object)) return;
  const bool global = !model().has("rope_theta") && model().has("global_rope_theta");
  const std::string theta = global ? "global_rope_theta" : "rope_theta";
  const std::string local = local_theta_key();
  if (model().has("compress_rope_theta")) {  // DeepSeek V4: scaled if the cache is compressed
    read_rope_of({std::string(compressed_layers), object, "compress_rope_theta", m_family, 160000});
    return read_rope_of({std::string(sliding_layers), nullptr, "rope_theta", m_family, m_family->theta});
  }
  const bool windows = m_report.layers.empty() || layers_of(sliding_layers) > 0;
  const bool both =
      windows && (model().has(local) || m_family->local_theta > 0 || (m_family->unscaled_windows && object != nullptr));
  std::string layers = both ? std::string(full_layers) : "";
  const bool windows_alone = std::ranges::none_of(
      m_report.layers, [](const LayerKind& kind) { return kind.rope && kind.name != sliding_layers; });
  const bool without =
      m_family->without_rope == LayersWithoutRope::full || m_family->without_rope == LayersWithoutRope::unwindowed;
  if (!both && without && windows_alone && layers_of(sliding_layers) > 0) layers = sliding_layers;
  if (!both && layers_of(chunked_layers) > 0) layers = chunked_layers;
  read_rope_of({layers, object, theta, m_family, m_family->theta});
  if (!both) return;
  const bool own = !m_family->unscaled_windows;
  read_rope_of({std::string(sliding_layers), nullptr, own ? local : theta, m_family,
                own ? theta_of(sliding_layers) : inner_theta(object, *m_family)});
}

/// Step 3.5: rope_theta is a list with an item for each layer; the scaling may be that of some
/// types of layers.
bool ConfigDoctor::read_listed_layers(const ConfigObject* object) {
  const auto* given = model().value().find("rope_theta");
  if (!given || !given->list() || m_report.layers.size() < 2) return false;
  const auto* scaled = model().take("yarn_only_types");
  for (const LayerKind& kind : m_report.layers) {
    if (!kind.rope) continue;
    const bool has_scaling = !scaled || !scaled->list() || scaled->list()->empty() ||
                             std::ranges::any_of(*scaled->list(), [&](const ConfigValue& name) {
                               return name.text() && *name.text() == kind.name;
                             });
    read_rope_of({kind.name, has_scaling ? object : nullptr, "rope_theta", m_family, theta_of(kind.name),
                  first_layer(kind.name)});
  }
  return true;
}

/// Granite with windows: layer_rope_theta has an item for each layer, which overrides the theta of
/// all layers.
bool ConfigDoctor::read_thetas_of_layers(const ConfigObject* object) {
  const auto& layers = m_report.schedule.layers;
  const auto* given = model().value().find("layer_rope_theta");
  if (!given || !given->list() || layers.empty() || given->list()->size() < layers.size()) return false;
  const auto theta = [&](std::size_t layer) { return (*given->list())[layer].number().value_or(0); };
  std::vector<std::size_t> firsts;  // of each kind, the first layer that rotates
  bool varies = false;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (layers[i].rope < 0) continue;
    const auto same =
        std::ranges::find_if(firsts, [&](std::size_t each) { return layers[each].name == layers[i].name; });
    if (same == firsts.end())
      firsts.push_back(i);
    else
      varies = varies || theta(*same) != theta(i);
  }
  if (firsts.empty()) return false;
  if (varies)
    model().warning("layer_rope_theta", model().path_of("layer_rope_theta") +
                                            " differs among layers of one kind: that of the first of each is shown");
  const bool alike =
      std::ranges::all_of(firsts, [&](std::size_t each) { return theta(each) == theta(firsts.front()); });
  firsts.resize(alike ? 1 : firsts.size());
  for (const std::size_t each : firsts)
    read_rope_of({alike ? std::string() : layers[each].name, object, "layer_rope_theta", m_family, m_family->theta,
                  static_cast<Index>(each)});
  return true;
}

Index ConfigDoctor::first_layer(std::string_view name) const {
  const auto& layers = m_report.schedule.layers;
  const auto found = std::ranges::find(layers, name, &ModelLayer::name);
  return found == layers.end() ? 0 : found - layers.begin();
}

Index ConfigDoctor::layers_of(std::string_view name) const {
  Index count = 0;
  for (const auto& kind : m_report.layers)
    if (kind.name == name) count += kind.count;
  return count;
}

void ConfigDoctor::report_layers_without_rope() {
  Index without = 0, all = 0;
  for (const auto& kind : m_report.layers) {
    all += kind.count;
    if (!kind.rope && attends(kind.name)) without += kind.count;
  }
  if (without == 0) return;
  m_ledger.add(ConfigSeverity::note, "", model().value().place,
               fmt::format("{} of {} layers attend without a position encoding (NoPE)", without, all));
}

}  // namespace vqscope
