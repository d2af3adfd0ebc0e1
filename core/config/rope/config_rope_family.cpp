// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/rope/config_rope_family.h"

#include "core/config/family/model_bounds.h"

#include <cmath>

namespace vqscope {
namespace {

void read_axes(const ConfigObject* rope, const ModelFamily& family, RopeUse& use) {
  if (family.axes[0] > 0) use.mrope_section.assign(family.axes.begin(), family.axes.end());
  if (rope)
    if (const auto sections = rope->numbers("mrope_section", {0, head_sizes.high})) use.mrope_section = *sections;
  if (rope)
    if (const auto sections = rope->numbers("xdrope_section", {0, head_sizes.high})) use.xdrope_section = *sections;
  const bool given =
      rope && rope->value().find("mrope_interleaved") && rope->boolean("mrope_interleaved").value_or(false);
  use.height_first = family.height_first && !use.mrope_section.empty();
  use.mrope_interleaved = !use.mrope_section.empty() && (given || family.mixed_axes);
}

}  // namespace

void read_layout(const ConfigObject& config, const ConfigObject* rope, const ModelFamily& family,
                 const ConfigHead& head, RopeUse& use) {
  const std::string key = config.first_of({"rope_interleave", "rotary_emb_interleaved", "rope_interleaved"});
  const auto given = config.value().find(key) ? config.boolean(key) : std::nullopt;
  const auto* part = config.value().find("qk_rope_head_dim");
  const bool plain = part && (part->is_null() || part->number() == 0.0);  // the family without its own attention
  const auto* twice = config.value().find("position_encoding_2d");        // ChatGLM 1: either half of a head by itself
  const bool halves = plain || (twice && twice->boolean() && *twice->boolean());
  const bool usual = family.known() ? family.interleaved && !halves : head.latent;
  use.interleaved = given.value_or(usual);
  use.apart = head.rotated() / 2;
  read_axes(rope, family, use);
}

void take_proportional(const ConfigObject& rope, RopeUse& use) {
  RopeScaling& s = use.scaling;
  s.rope_type = "default";
  s.rope_theta = std::pow(use.rope_theta, static_cast<double>(s.rotated()) / static_cast<double>(s.head_dim));
  use.apart = s.head_dim / 2;
  if (const auto factor = rope.number("factor", {1, 1024}); factor && *factor > 1) {
    s.rope_type = "linear";
    s.factor = *factor;
  }
}

void read_mscales(const ConfigObject& rope, const ModelFamily& family, RopeUse& use) {
  if (!family.mscales) return;
  const bool beyond = use.max_position_embeddings > use.scaling.original_max_position_embeddings;
  const auto given = rope.number(beyond ? "long_mscale" : "short_mscale", {0, 100, true});
  if (given) use.scaling.attention_factor = *given;
}

void read_alpha(const ConfigObject& rope, const ModelFamily& family, RopeUse& use) {
  if (!family.alpha || !rope.has("alpha")) return;
  const auto alpha = rope.number("alpha", {1, 1e9});
  if (!alpha) return;
  RopeScaling& s = use.scaling;
  const double size = static_cast<double>(s.rotated());
  if (size <= 2) return;
  use.alpha = *alpha;
  s.rope_type = "default";
  s.rope_theta = use.rope_theta * std::pow(*alpha, size / (size - 2));
}

}  // namespace vqscope
