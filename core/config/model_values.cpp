// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/model_values.h"

#include "core/config/config_parts.h"

#include <algorithm>

namespace vqscope {
namespace {

/// The RoPE of layers without a window, or of all.
const RopeUse& main_rope(const std::vector<RopeUse>& ropes) {
  const auto full =
      std::ranges::find_if(ropes, [](const RopeUse& use) { return use.layers.empty() || use.layers == full_layers; });
  return full == ropes.end() ? ropes.front() : *full;
}

void take_rope(const RopeUse& use, ParameterValues& values) {
  const RopeType& type = rope_type(use.scaling.rope_type);
  const ParameterValues all = rope_scaling_values(use.scaling);
  for (const auto& [name, value] : all.map())
    if (type.reads(name) && name != "seq_len" && name != "yarn_ramp") values.set(name, value);
  for (const auto* name : {"rope_type", "rope_theta", "head_dim", "rotary_dim", "original_max_position_embeddings"})
    values.set(name, *all.find(name));
  values.set("pair_layout", std::string(name_of(use.pair_layout())));
  if (use.mrope_section.size() != 3) return;  // the methods have time, height and width
  std::vector<Index> sections;
  for (const double each : use.mrope_section) sections.push_back(static_cast<Index>(each));
  values.set("mrope_section", std::move(sections));
  values.set("mrope_interleaved", use.mrope_interleaved);
}

void take_layers(const std::vector<ModelLayer>& layers, ParameterValues& values) {
  const auto attending = std::ranges::find_if(layers, [](const ModelLayer& layer) { return layer.head_dim > 0; });
  if (attending != layers.end()) {
    if (attending->num_key_value_heads > 0) values.set("num_key_value_heads", attending->num_key_value_heads);
    if (!values.find("head_dim")) values.set("head_dim", attending->head_dim);
  }
  if (std::ranges::any_of(layers, &ModelLayer::two_sided)) values.set("bidirectional", true);
  const auto sliding = std::ranges::find(layers, LayerAttention::sliding, &ModelLayer::attention);
  if (sliding != layers.end()) values.set("sliding_window", sliding->window);
}

}  // namespace

ParameterValues model_values(const ConfigReport& report) {
  ParameterValues values;
  if (!report.ropes.empty()) take_rope(main_rope(report.ropes), values);
  if (report.heads > 0) values.set("num_heads", report.heads);
  take_layers(report.schedule.layers, values);
  const bool biased = report.kind == PositionScheme::t5_buckets || report.kind == PositionScheme::alibi;
  if (biased && !report.views.empty())
    for (const auto& [name, value] : report.views.front().values.map()) values.set(name, value);
  if (!report.tables.empty()) values.set("max_position_embeddings", report.tables.front().length);
  return values;
}

}  // namespace vqscope
