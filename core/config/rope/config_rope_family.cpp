// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/rope/config_rope_family.h"

#include <cmath>

namespace vqscope {

void read_layout(const ConfigObject& config, const ConfigObject* rope, const ModelFamily& family,
                 const ConfigHead& head, RopeUse& use) {
  const std::string key = config.first_of({"rope_interleave", "rotary_emb_interleaved", "rope_interleaved"});
  const auto given = config.value().find(key) ? config.boolean(key) : std::nullopt;
  const bool plain = config.value().find("qk_rope_head_dim") && !head.latent;  // the family without its own attention
  const bool usual = family.known() ? family.interleaved && !plain : head.latent;
  use.interleaved = given.value_or(usual);
  use.apart = head.rotated() / 2;
  if (rope)
    if (const auto sections = rope->numbers("mrope_section", {0, 4096})) use.mrope_section = *sections;
  use.mrope_interleaved =
      rope && rope->value().find("mrope_interleaved") && rope->boolean("mrope_interleaved").value_or(false);
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
