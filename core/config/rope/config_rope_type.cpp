// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/rope/rope_reading.h"

#include "core/base/sentence.h"
#include "core/config/family/model_family_row.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vqscope {
namespace {

/// A name used by older files or by other readers.
struct OldName {
  std::string_view old, current, sentence;
};
constexpr std::array old_names{
    OldName{"su", "longrope", "su is the old name of longrope"},
    OldName{"xdrope", "dynamic", "xdrope is dynamic with alpha and xdrope_section"},
    OldName{"mrope", "default", "mrope is the old name of default with mrope_section"},
    OldName{"axial", "default", "axial is default with an axis of an image for each part"},
    OldName{"deepseek_yarn", "yarn", "deepseek_yarn is vLLM's name for yarn"},
    OldName{"telechat3-yarn", "yarn", "telechat3-yarn is yarn with an attention factor of 1 + 0.07 ln factor"}};

const RopeTypeKeys* without_name(const ConfigObject& rope) {
  if (rope.has("rope_type") || rope.has("type")) return nullptr;  // not a string: already reported
  if (rope.has("factor"))
    rope.warning("rope_type", rope.path_of("rope_type") +
                                  " is not given: Hugging Face 5 uses default and ignores factor, vLLM stops "
                                  "with an error");
  return find_rope_type_keys("default");
}

/// Names of one type that Hugging Face itself writes side by side into the files of some models.
bool written_together(std::string_view current, std::string_view old) {
  return (current == "longrope" && old == "su") || (current == "default" && old == "mrope");
}

/// The key that takes precedence: rope_type, else type.
std::string key_that_counts(const ConfigObject& rope, const std::optional<std::string>& current,
                            const std::optional<std::string>& old) {
  if (current && old && written_together(*current, *old))
    rope.note("type", fmt::format("{} is \"{}\" beside rope_type \"{}\", which is the same: some versions of vLLM stop "
                                  "with an error, newer ones accept both",
                                  rope.path_of("type"), *old, *current));
  else if (current && old && *current != *old)
    rope.warning("type", fmt::format("{} is \"{}\" and rope_type is \"{}\": Hugging Face uses the latter, vLLM stops "
                                     "with an error",
                                     rope.path_of("type"), shortened(*old), shortened(*current)));
  if (!current)
    rope.note("type",
              rope.path_of("type") + " is the old name of rope_type: Hugging Face, vLLM and llama.cpp accept both");
  return current ? "rope_type" : "type";
}

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

const RopeTypeKeys* read_rope_type(const ConfigObject& rope, const ModelFamily& family) {
  const auto current = rope.text("rope_type");
  const auto old = rope.text("type");
  if (!current && !old) return without_name(rope);
  const std::string key = key_that_counts(rope, current, old);
  const std::string path = rope.path_of(key);
  std::string id = current ? *current : *old;
  if (const auto it = std::ranges::find(old_names, id, &OldName::old); it != old_names.end()) {
    rope.note(key, fmt::format("{} {}", path, it->sentence));
    id = it->current;
  }
  if (id == "yarn" && family.model_type == "phi3") {
    rope.note(key, path + " is \"yarn\", which Hugging Face's Phi3Config reads as longrope");
    id = "longrope";
  }
  std::vector<std::string> known;
  for (const auto& each : rope_type_keys())
    if (each.hugging_face) known.push_back(each.id);
  const auto* found = find_rope_type_keys(id);
  if (!found && !family.known()) {  // code that comes with the model may know it
    rope.warning(key, fmt::format("{} is {}, which this program does not know: angles are shown without scaling{}",
                                  path, rope.take(key)->shown(), did_you_mean(id, known)));
    return find_rope_type_keys("default");
  }
  if (!found)
    rope.error(key, fmt::format("{} is {}, which is unknown; Hugging Face knows {}{}", path, rope.take(key)->shown(),
                                join(known, ", "), did_you_mean(id, known)));
  else if (!found->hugging_face)
    rope.warning(key, fmt::format("{} is \"{}\", which Hugging Face's own classes do not know; they know {}", path, id,
                                  join(known, ", ")));
  return found;
}

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
