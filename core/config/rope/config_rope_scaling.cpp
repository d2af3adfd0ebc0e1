// SPDX-License-Identifier: GPL-3.0-or-later
// Source of telechat3-yarn: vllm/model_executor/layers/rotary_embedding/telechat3_scaling_rope.py.
#include "core/config/rope/rope_reading.h"

#include "core/base/sentence.h"
#include "core/config/family/model_family.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr NumberRange turns{0.01, 65536};
constexpr NumberRange turns_or_default{0, 65536};
constexpr NumberRange frequency_factors{0.001, 65536};
constexpr NumberRange list_factors{0.001, 1e6};
constexpr NumberRange attention_factors{0, 100, true};
constexpr NumberRange mscales{0, 100};

/// Hugging Face reads 0 as not given, because of `get() or default`.
double turns_of(const ConfigObject& rope, std::string_view key, double default_value) {
  const auto given = rope.number(key, turns_or_default);
  if (given && *given == 0) {
    rope.note(key, fmt::format("{} is 0, which Hugging Face reads as not given: {}", rope.path_of(key),
                               plain_text(default_value)));
    return default_value;
  }
  if (given && *given < turns.low)
    rope.error(key, fmt::format("{} is {} but must be 0 or {}", rope.path_of(key), to_text(*given), turns.text()));
  return given.value_or(default_value);
}

}  // namespace

bool names_type(const ConfigValue& rope, std::string_view name) {
  const auto* given = rope.find("rope_type");
  if (!given || !given->text()) given = rope.find("type");
  return given && given->text() && *given->text() == name;
}

bool has_own_yarn(std::string_view model_type, const ConfigValue* rope) {
  return find_model_family(model_type).plain_yarn || (rope && names_type(*rope, "telechat3-yarn"));
}

void read_yarn(const ConfigObject& rope, RopeScaling& s) {
  s.beta_fast = turns_of(rope, "beta_fast", 32);
  s.beta_slow = turns_of(rope, "beta_slow", 1);
  if (s.beta_fast < s.beta_slow)
    rope.warning("beta_fast", fmt::format("{} is {}, less than beta_slow = {}: slow pairs are kept and fast ones "
                                          "interpolated, the reverse of YaRN; Hugging Face only warns",
                                          rope.path_of("beta_fast"), plain_text(s.beta_fast), plain_text(s.beta_slow)));
  s.truncate = rope.boolean("truncate").value_or(true);
  s.attention_factor = rope.number("attention_factor", attention_factors).value_or(0);
  s.mscale = rope.number("mscale", mscales).value_or(0);
  s.mscale_all_dim = rope.number("mscale_all_dim", mscales).value_or(0);
  if ((s.mscale > 0) != (s.mscale_all_dim > 0)) {
    const std::string alone = s.mscale > 0 ? "mscale" : "mscale_all_dim";
    rope.note(alone, rope.path_of(alone) + " affects cos and sin only if both mscale and mscale_all_dim are above 0");
  }
  if (s.attention_factor > 0 && s.mscale > 0 && s.mscale_all_dim > 0)
    rope.warning("attention_factor",
                 rope.path_of("attention_factor") + " takes precedence over mscale and mscale_all_dim");
  if (s.attention_factor == 0 && names_type(rope.value(), "telechat3-yarn"))
    s.attention_factor = 1 + 0.07 * std::log(std::max(s.factor, 1.0));
}

void read_llama3(const ConfigObject& rope, RopeScaling& s) {
  s.low_freq_factor = rope.number("low_freq_factor", frequency_factors).value_or(1);
  s.high_freq_factor = rope.number("high_freq_factor", frequency_factors).value_or(4);
  if (s.high_freq_factor > s.low_freq_factor) return;
  // Every reader then divides pairs above one wavelength by factor and keeps the others.
  rope.note(
      "high_freq_factor",
      fmt::format("{} is {}, not above low_freq_factor = {}: no pair is blended; Hugging Face only warns",
                  rope.path_of("high_freq_factor"), plain_text(s.high_freq_factor), plain_text(s.low_freq_factor)));
  s.high_freq_factor = s.low_freq_factor;
}

void read_longrope(const ConfigObject& rope, RopeScaling& s) {
  s.attention_factor = rope.number("attention_factor", attention_factors).value_or(0);
  if (s.original_max_position_embeddings < 2)
    rope.error("original_max_position_embeddings", "the training length is 1 but must be at least 2 with longrope");
  for (const std::string key : {"short_factor", "long_factor"}) {
    auto list = rope.numbers(key, list_factors);
    if (!list) continue;
    if (const auto count = static_cast<Index>(list->size()); count != s.pairs())
      rope.error(key, fmt::format("{} has {} items but must have {}, half the rotated dimensions", rope.path_of(key),
                                  count, s.pairs()));
    (key == "short_factor" ? s.short_factor : s.long_factor) = std::move(*list);
  }
}

void check_sections(const ConfigObject& rope, Index pairs) {
  const std::string key = rope.first_of({"mrope_section", "xdrope_section"});
  const auto sections = rope.numbers(key, {0, 4096});
  if (!sections) return;
  double sum = 0;
  for (const double each : *sections) sum += each;
  if (sum != static_cast<double>(pairs))
    rope.warning(key, fmt::format("{} adds up to {} but must be {}, half the rotated dimensions", rope.path_of(key),
                                  plain_text(sum), pairs));
}

}  // namespace vqscope
