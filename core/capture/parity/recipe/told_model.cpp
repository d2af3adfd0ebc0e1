// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/recipe/told_model.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

/// The member of the config or of the text model in it.
const ConfigValue* told_member(const ConfigValue& config, std::string_view name) {
  const ConfigValue* value = config.find(name);
  if (value && !value->is_null()) return value;
  const ConfigValue* text = config.find("text_config");
  value = text ? text->find(name) : nullptr;
  return value && !value->is_null() ? value : nullptr;
}

std::optional<double> told_number(const ConfigValue& config, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const ConfigValue* value = told_member(config, name); value && value->number()) return value->number();
  return std::nullopt;
}

bool told_flag(const ConfigValue& config, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const ConfigValue* value = told_member(config, name); value && value->boolean() && *value->boolean())
      return true;
  return false;
}

/// Item `at` of a list, or the value itself.
const ConfigValue* of_layer(const ConfigValue* value, Index at) {
  if (!value || !value->list()) return value;
  return at < std::ssize(*value->list()) ? &(*value->list())[static_cast<std::size_t>(at)] : nullptr;
}

constexpr Index most_told = Index{1} << 40;

std::optional<Index> positive(const ConfigValue* value) {
  const Index number = value ? value->integer().value_or(0) : 0;
  return number > 0 ? std::optional(std::min(number, most_told)) : std::nullopt;
}

/// Of a number that any file may tell; NaN is 0.
Index whole_part(double number) {
  constexpr auto most = static_cast<double>(most_told);
  return number > -most && number < most ? static_cast<Index>(number) : 0;
}

std::optional<Index> window_of(const ConfigValue& config, Index layer) {
  const ConfigValue* flag = told_member(config, "use_sliding_window");
  if (flag && flag->boolean() && !*flag->boolean()) return std::nullopt;
  const ConfigValue* types = of_layer(told_member(config, "layer_types"), layer);
  if (types && types->text() && types->text()->find("sliding") == std::string::npos) return std::nullopt;
  return positive(of_layer(told_member(config, "sliding_window"), layer));
}

bool rotates_layer(const ConfigValue& config, Index layer) {
  const ConfigValue* list = told_member(config, "no_rope_layers");
  const ConfigValue* each = list && list->list() ? of_layer(list, layer) : nullptr;
  return !each || each->integer().value_or(1) != 0;
}

std::optional<ToldRope> rope_of(const ConfigValue& config, Index head_dim, Index length) {
  const ConfigValue* told = told_member(config, "rope_parameters");
  const ConfigValue* scaling = told ? told : told_member(config, "rope_scaling");
  const auto theta = told && told->find("rope_theta") ? told->find("rope_theta")->number()
                                                      : told_number(config, {"rope_theta", "rotary_emb_base"});
  if (!scaling && !theta) return std::nullopt;
  ToldRope rope;
  RopeScaling& s = rope.scaling;
  s.head_dim = head_dim;
  s.rope_theta = theta.value_or(10000);
  s.factor = 1;
  s.seq_len = length;
  const auto share = told_number(config, {"partial_rotary_factor", "rotary_pct"});
  s.rotary_dim = whole_part(share.value_or(1) * static_cast<double>(head_dim));
  if (scaling && scaling->object()) {
    const auto number = [&](const char* name, double otherwise) {
      const ConfigValue* value = scaling->find(name);
      return value && value->number() ? *value->number() : otherwise;
    };
    for (const char* key : {"type", "rope_type"})
      if (const ConfigValue* type = scaling->find(key); type && type->text()) s.rope_type = *type->text();
    s.factor = number("factor", 1);
    const double trained =
        number("original_max_position_embeddings", told_number(config, {"max_position_embeddings"}).value_or(4096));
    s.original_max_position_embeddings = whole_part(trained);
    s.rotary_dim = whole_part(number("rotary_dim", static_cast<double>(s.rotary_dim)));
    s.beta_fast = number("beta_fast", s.beta_fast);
    s.beta_slow = number("beta_slow", s.beta_slow);
    s.attention_factor = number("attention_factor", 0);
    s.mscale = number("mscale", 0);
    s.mscale_all_dim = number("mscale_all_dim", 0);
    s.low_freq_factor = number("low_freq_factor", s.low_freq_factor);
    s.high_freq_factor = number("high_freq_factor", s.high_freq_factor);
    const ConfigValue* layout = scaling->find("pair_layout");
    if (layout && layout->text()) rope.layout = pair_layout_of(*layout->text());
    for (const auto& [key, list] : {std::pair{"short_factor", &s.short_factor},
                                    std::pair{"long_factor", &s.long_factor}, std::pair{"factors", &s.long_factor}})
      if (const ConfigValue* values = scaling->find(key); values && values->list())
        for (const ConfigValue& each : *values->list()) list->push_back(each.number().value_or(1));
    for (const char* key : {"mrope_section", "sections"})
      if (const ConfigValue* sections = scaling->find(key); sections && sections->list() && rope.sections.empty())
        for (const ConfigValue& each : *sections->list())
          rope.sections.push_back(std::clamp<Index>(each.integer().value_or(0), 0, 4096));
    if (const ConfigValue* mixed = scaling->find("mrope_interleaved"); mixed && mixed->boolean())
      rope.sections_interleaved = *mixed->boolean();
  }
  if (s.rope_type == "mrope") s.rope_type = "default";
  return rope;
}

}  // namespace

RopeLaw ToldRope::law() const {
  RopeLaw law{true, layout, scaling.rotated(), {}, 1, {}};
  RopeScaling known = scaling;
  const auto types = rope_types();
  if (std::none_of(types.begin(), types.end(), [&](const RopeType& type) { return type.id == known.rope_type; }))
    known.rope_type = "default";
  if (!known.check()) known.rope_type = "default";
  if (!known.check()) return {};
  const RopeFrequencies frequencies = rope_frequencies(known);
  law.inv_freq.assign(frequencies.inv_freq.begin(), frequencies.inv_freq.end());
  law.attention_factor = frequencies.attention_factor;
  if (sections.size() == 3) {
    for (int axis = 0; axis < 3; ++axis)
      law.axis.insert(law.axis.end(), static_cast<std::size_t>(sections[static_cast<std::size_t>(axis)]), axis);
    law.axis.resize(law.inv_freq.size(), 2);
    if (sections_interleaved)
      for (std::size_t i = 0; i < law.axis.size(); ++i) {
        const auto axis = static_cast<int>(i % 3);
        law.axis[i] = axis > 0 && static_cast<Index>(i) < 3 * sections[static_cast<std::size_t>(axis)] ? axis : 0;
      }
  }
  return law;
}

ToldModel told_model(const Capture& capture, Index layer, Index head_dim, Index length) {
  ToldModel model;
  if (!capture.info.config) return model;
  const ConfigValue& config = *capture.info.config;
  const auto pre = told_number(config, {"query_pre_attn_scalar"});
  model.scale = pre && *pre > 0 ? std::optional(1 / std::sqrt(*pre))
                                : told_number(config, {"attention_multiplier", "softmax_scale"});
  model.softcap = told_number(config, {"attn_logit_softcapping"}).value_or(0);
  model.window = window_of(config, layer);
  model.chunk = positive(told_member(config, "attention_chunk_size"));
  const ConfigValue* type = told_member(config, "model_type");
  model.sinks = told_flag(config, {"attention_sinks"}) || (type && type->text() && *type->text() == "gpt_oss");
  model.alibi = told_flag(config, {"alibi"});
  model.qk_norm = told_flag(config, {"use_qk_norm", "qk_norm"});
  if (const ConfigValue* pad = told_member(config, "pad_token_id"); pad) model.pad_token = pad->integer();
  model.says_no_rope = !rotates_layer(config, layer);
  model.rope = rope_of(config, head_dim, length);
  return model;
}

std::vector<Index> told_windows(const Capture& capture) {
  std::vector<Index> windows;
  const ConfigValue* count = capture.info.config ? told_member(*capture.info.config, "num_hidden_layers") : nullptr;
  const Index layers = count ? std::clamp<Index>(count->integer().value_or(0), 0, 10000) : 0;
  for (Index layer = 0; layer < layers; ++layer) windows.push_back(window_of(*capture.info.config, layer).value_or(0));
  return windows;
}

}  // namespace vqscope
