// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/config/config_doctor.h"
#include "core/config/config_layer_lists.h"
#include "core/config/config_layers.h"
#include "core/config/rope/config_implementations.h"
#include "core/config/rope/rope_view.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr std::size_t most_layer_types = 64;  // published models have two

}  // namespace

/// rope_scaling if given, otherwise rope_parameters.
const ConfigObject* ConfigDoctor::scaling_object(std::optional<ConfigObject>& keep) {
  const auto& config = model();
  for (const std::string key : {"rope_scaling", "rope_parameters"}) {
    const auto* given = config.take(key);
    if (!given || (given->object() && given->object()->members.empty())) continue;
    if (!given->object()) {
      config.error(key, fmt::format("{} is {}, must be an object or null", config.path_of(key), given->shown()));
    } else if (keep) {
      config.warning(key, config.path_of(key) + " is given beside rope_scaling, which Hugging Face uses instead");
    } else {
      keep.emplace(ConfigObject(*given, config.path_of(key), m_ledger));
    }
  }
  return keep ? &*keep : nullptr;
}

void ConfigDoctor::read_rope_of(const ConfigRopeSource& source) {
  auto use = read_rope(model(), source, m_rope_keys);
  if (!use) return;
  tell_rope_use(*use, source.object, has_latent_attention(model()));
  m_report.views.push_back(rope_view(*use));
  m_report.ropes.push_back(std::move(*use));
}

/// One scaling per layer type, as in configs of Gemma 3.
void ConfigDoctor::read_layers(const ConfigObject& object) {
  const auto count = object.value().object()->members.size();
  if (count > most_layer_types)
    return m_ledger.add(
        ConfigSeverity::error, object.path(), object.value().place,
        fmt::format("{} has {} types of layers, at most {} are read", object.path(), count, most_layer_types));
  for (const auto& member : object.value().object()->members) {
    m_ledger.mark_read(member);
    const std::string path = object.path_of(member.key);
    if (!member.object()) {
      object.warning(member.key,
                     fmt::format("{} is {} beside objects for layer types and is not read", path, member.shown()));
      m_rope_keys.push_back({path, member.key_place, member.shown(), KeyUse::ignored, "beside types of layers"});
      continue;
    }
    m_rope_keys.push_back({path, member.key_place, member.shown(), KeyUse::read, ""});
    const ConfigObject layers(member, path, m_ledger);
    read_rope_of({shortened(member.key), &layers, "rope_theta", m_family, theta_of(member.key)});
  }
}

double ConfigDoctor::theta_of(std::string_view layers) const {
  return layers == sliding_layers && m_family->local_theta > 0 ? m_family->local_theta : m_family->theta;
}

void ConfigDoctor::read_ropes() {
  std::optional<ConfigObject> keep;
  const Index errors = m_ledger.errors();
  const ConfigObject* object = scaling_object(keep);
  if (m_ledger.errors() > errors) return;
  if (object && std::ranges::any_of(object->value().object()->members, [](const auto& m) { return m.object(); }))
    return read_layers(*object);
  read_unlike_layers(object);
  if (m_report.ropes.empty())  // after an error that came first
    for (const auto key : {"rope_theta", "max_position_embeddings", "hidden_size", "num_attention_heads"})
      model().take(key);
  tell_layers_without_rope();
}

/// Reads one RoPE for all layers, or one each for layers with and without a window, if these have a
/// theta of their own or the scaling applies to full layers only.
void ConfigDoctor::read_unlike_layers(const ConfigObject* object) {
  const bool global = !model().has("rope_theta") && model().has("global_rope_theta");
  const std::string theta = global ? "global_rope_theta" : "rope_theta";
  const std::string local = model().first_of({"rope_local_base_freq", "local_rope_theta", "swa_rope_theta"});
  if (model().has("compress_rope_theta")) {  // DeepSeek V4: scaled if the cache is compressed
    read_rope_of({"compressed_attention", object, "compress_rope_theta", m_family, 160000});
    return read_rope_of({std::string(sliding_layers), nullptr, "rope_theta", m_family, m_family->theta});
  }
  const bool windows = m_report.layers.empty() || layers_of(sliding_layers) > 0;
  const bool both =
      windows && (model().has(local) || m_family->local_theta > 0 || (m_family->unscaled_windows && object != nullptr));
  std::string layers = both ? std::string(full_layers) : "";
  if (!both && m_family->without_rope == LayersWithoutRope::full && layers_of(sliding_layers) > 0)
    layers = sliding_layers;
  if (!both && layers_of(chunked_layers) > 0) layers = chunked_layers;
  read_rope_of({layers, object, theta, m_family, m_family->theta});
  if (!both) return;
  const bool own = !m_family->unscaled_windows;
  read_rope_of({std::string(sliding_layers), nullptr, own ? local : theta, m_family, theta_of(sliding_layers)});
}

Index ConfigDoctor::layers_of(std::string_view name) const {
  Index count = 0;
  for (const auto& kind : m_report.layers)
    if (kind.name == name) count += kind.count;
  return count;
}

void ConfigDoctor::tell_layers_without_rope() {
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
