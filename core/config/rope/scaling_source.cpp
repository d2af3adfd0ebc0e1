// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/sentence.h"
#include "core/config/family/family_reading.h"
#include "core/config/rope/rope_reading.h"
#include "core/encoding/rope/mrope_layout.h"
#include "core/io/json/json_reader.h"

namespace vqscope {
namespace {

/// Sets seq_len only if the type reads it; otherwise it follows what is shown.
ParameterValues values_of(const RopeUse& use) {
  RopeScaling scaling = use.scaling;
  if (!rope_type(scaling.rope_type).reads("seq_len")) scaling.seq_len = 0;
  return rope_scaling_values(scaling);
}

/// If the sections fit.
std::optional<ConfigView> three_axes(const RopeUse& use) {
  std::vector<Index> sections;
  for (const double each : use.mrope_section) sections.push_back(static_cast<Index>(each));
  const MropeOrder order = mrope_order(use.mrope_interleaved, use.height_first);
  if (!mrope_axes(sections, order, use.scaling.pairs())) return std::nullopt;
  ConfigView view{"M-RoPE: text and an image", "mrope_phase", {}};
  const ParameterValues all = values_of(use);
  for (const auto& [name, value] : all.map())
    if (name != "precision") view.values.set(name, value);
  view.values.set("mrope_section", std::move(sections));
  view.values.set("mrope_interleaved", use.mrope_interleaved);
  if (use.height_first) view.values.set("mrope_height_first", true);
  return view;
}

}  // namespace

const ConfigObject* ScalingSource::find(const ConfigObject& config, const ModelFamily& family) {
  for (const std::string key : {"rope_scaling", "rope_parameters"}) {
    const auto* given = config.take(key);
    if (!given || (given->object() && given->object()->members.empty())) continue;
    if (!given->object()) {
      config.error(key, fmt::format("{} is {} but must be an object or null", config.path_of(key), given->shown()));
    } else if (m_object) {
      config.warning(key, config.path_of(key) + " is given beside rope_scaling, which Hugging Face uses instead");
    } else {
      m_object.emplace(*given, config.path_of(key), config.ledger());
    }
  }
  return m_object ? &*m_object : find_default(config, family);
}

const ConfigObject* ScalingSource::find_default(const ConfigObject& config, const ModelFamily& family) {
  const std::string_view usual = class_scaling(family.model_type);
  if (usual.empty() || config.value().find("rope_scaling") || config.value().find("rope_parameters")) return nullptr;
  auto read = read_json(usual);
  if (!read) return nullptr;
  m_default = std::move(*read);
  const std::string path = config.path_of("rope_parameters");
  config.note("rope_parameters", fmt::format("{} is not given: {}", path, default_text(family, std::string(usual))));
  m_object.emplace(m_default, path, m_aside);
  return &*m_object;
}

std::vector<ConfigView> rope_views(const RopeUse& use) {
  std::vector<ConfigView> views{{use.layers.empty() ? "RoPE" : "RoPE of " + use.layers, "rope_phase", values_of(use)}};
  views.front().values.set("pair_layout", std::string(name_of(use.pair_layout())));
  if (auto axes = three_axes(use)) views.push_back(std::move(*axes));
  return views;
}

}  // namespace vqscope
