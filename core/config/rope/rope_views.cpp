// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/rope/rope_views.h"

#include "core/encoding/rope/mrope_layout.h"

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

std::vector<ConfigView> rope_views(const RopeUse& use) {
  std::vector<ConfigView> views{{use.layers.empty() ? "RoPE" : "RoPE of " + use.layers, "rope_phase", values_of(use)}};
  views.front().values.set("pair_layout", std::string(name_of(use.pair_layout())));
  if (auto axes = three_axes(use)) views.push_back(std::move(*axes));
  return views;
}

}  // namespace vqscope
