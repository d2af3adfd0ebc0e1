// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/rope/rope_scaling.h"
#include "core/sequence/query_layout.h"

namespace vqscope {
namespace {

const std::string group = "RoPE";

std::vector<std::string> types_reading(std::string_view parameter) {
  std::vector<std::string> ids;
  for (const auto& type : rope_types())
    if (type.reads(parameter)) ids.push_back(type.id);
  return ids;
}

/// A real that only some rope_types look at.
ParameterSpec scaling_number(std::string name, std::string help, double default_value, double minimum, double maximum) {
  auto relevant = types_reading(name);
  return make_parameter(std::move(name), group, std::move(help),
                        {.default_value = default_value,
                         .minimum = minimum,
                         .maximum = maximum,
                         .logarithmic = true,
                         .relevant = {{"rope_type", std::move(relevant)}}});
}

ParameterSpec automatic_number(std::string name, std::string help, double maximum, std::string automatic) {
  ParameterSpec spec = scaling_number(std::move(name), std::move(help), 0.0, 0, maximum);
  spec.automatic = std::move(automatic);
  return spec;
}

ParameterSpec factor_list(std::string name, std::string help, std::string automatic) {
  auto relevant = types_reading(name);
  return make_parameter(std::move(name), group, std::move(help),
                        {.default_value = std::vector<double>{},
                         .minimum = 0.001,
                         .maximum = 1e6,
                         .automatic = std::move(automatic),
                         .relevant = {{"rope_type", std::move(relevant)}},
                         .most_items = 2048});
}

std::vector<ParameterSpec> yarn_parameters() {
  return {
      scaling_number("beta_fast",
                     "Pairs that make at least this many turns within the training length keep their frequency. Below "
                     "beta_slow the ramp runs backwards: fast pairs are interpolated and slow ones kept.",
                     32.0, 0.01, 65536),
      scaling_number("beta_slow",
                     "Pairs that make at most this many turns within the training length are interpolated.", 1.0, 0.01,
                     65536),
      make_parameter("truncate", group, "Rounds both ends of the ramp outwards to whole pair indices.",
                     {.default_value = true,
                      .relevant = {{"rope_type", types_reading("truncate")}, {"yarn_ramp", {"dimension_index"}}}}),
      make_parameter("yarn_ramp", group, "Variable in which the ramp from kept to interpolated pairs is linear.",
                     {.default_value = std::string("dimension_index"),
                      .choices = {{"dimension_index", "the index of the pair: the authors' code and every library"},
                                  {"rotation_count", "turns within the training length: the paper, section 3.2"}},
                      .relevant = {{"rope_type", types_reading("yarn_ramp")}}}),
      automatic_number("attention_factor",
                       "Multiplies cos and sin; attention logits are therefore multiplied by its square.", 100,
                       "by the scaling's rule"),
      automatic_number("mscale", "Numerator of the attention factor, m(factor, mscale) / m(factor, mscale_all_dim).",
                       100, "not given"),
      automatic_number("mscale_all_dim",
                       "Denominator of the attention factor; it has an effect only together with mscale.", 100,
                       "not given")};
}

/// A share of a blend.
ParameterSpec blend_factor(std::string name, std::string help) {
  ParameterSpec spec = scaling_number(std::move(name), std::move(help), 1.0, 0, 1);
  spec.logarithmic = false;
  return spec;
}

std::vector<ParameterSpec> by_parts_parameters() {
  return {
      blend_factor("ntk_factor", "Share of NTK-aware frequencies in the first blend; 0 interpolates them."),
      blend_factor("extrapolation_factor",
                   "Share of unscaled frequencies in the second blend; 0 keeps no pair unscaled."),
      scaling_number("beta_0", "Turns within the training length from which the first blend is all NTK-aware.", 1.25,
                     0.01, 65536),
      scaling_number("beta_1", "Turns within the training length up to which the first blend is all interpolated.",
                     0.75, 0.01, 65536),
      scaling_number("gamma_0", "Turns within the training length from which a pair keeps its frequency.", 16.0, 0.01,
                     65536),
      scaling_number("gamma_1", "Turns within the training length up to which a pair is as the first blend makes it.",
                     2.0, 0.01, 65536)};
}

std::vector<ParameterSpec> other_scaling_parameters() {
  return {
      scaling_number(
          "low_freq_factor",
          "Pairs that make fewer turns than this within the training length have their frequency divided by factor.",
          1.0, 0.001, 65536),
      scaling_number("high_freq_factor",
                     "Pairs that make more turns than this within the training length keep their frequency.", 4.0,
                     0.001, 65536),
      factor_list("short_factor", "Divisor of each pair's frequency, for sequences up to the training length.",
                  "1 for every pair"),
      factor_list("long_factor", "Divisor of each pair's frequency, for sequences beyond the training length.",
                  "factor for every pair")};
}

/// Parameters that every rope_type reads.
std::vector<ParameterSpec> plain_rope_parameters() {
  return {
      make_parameter(
          "rope_theta", group,
          "Base of the frequencies: pair i turns by rope_theta^(-2i/d) radians per position. Must be above 1.",
          {.default_value = 10000.0, .minimum = 1, .maximum = 1e12, .logarithmic = true}),
      make_parameter("head_dim", group, "Number of dimensions of one head. Must be even.",
                     {.default_value = Index{128}, .minimum = 2, .maximum = 4096, .logarithmic = true}),
      make_parameter(
          "rotary_dim", group, "Number of rotated dimensions, d; the others are unchanged. Must be even.",
          {.default_value = Index{0}, .minimum = 0, .maximum = 4096, .logarithmic = true, .automatic = "head_dim"}),
      make_parameter(
          "precision", group, "Arithmetic used for frequencies and angles.",
          {.default_value = std::string("exact"),
           .choices = {{"exact", "exact real arithmetic: the formula as written"},
                       {"hf_float32",
                        "float32, operations ordered as in Hugging Face and torch: what models were trained with"}}})};
}

}  // namespace

std::vector<ParameterSpec> rope_scaling_parameters() {
  std::vector<Choice> types;
  for (const auto& type : rope_types()) types.push_back({type.id, type.help});
  std::vector<ParameterSpec> specs{
      make_parameter(
          "rope_type", group, "How frequencies are scaled for sequences longer than the training length.",
          {.default_value = std::string("default"), .choices = std::move(types), .in_summary = InSummary::always}),
      make_parameter("factor", group,
                     "Ratio of the longest supported sequence to the training length; below 1 "
                     "phases grow faster instead of slower.",
                     {.default_value = 4.0,
                      .minimum = 0.01,
                      .maximum = 1024,
                      .logarithmic = true,
                      .relevant = {{"rope_type", types_reading("factor")}}}),
      make_parameter("original_max_position_embeddings", group, "Sequence length the model was trained on.",
                     {.label = "Training length",
                      .default_value = Index{4096},
                      .minimum = 1,
                      .maximum = 2147483648.0,
                      .logarithmic = true,
                      .unit = "tokens"}),
      make_parameter("seq_len", group, "Length of the longest sequence so far; used by the dynamic types.",
                     {.default_value = Index{0},
                      .minimum = 0,
                      .maximum = 4294967296.0,
                      .logarithmic = true,
                      .unit = "tokens",
                      .automatic = "q_length + past_len",
                      .relevant = {{"rope_type", types_reading("seq_len")}}})};
  for (auto& spec : yarn_parameters()) specs.push_back(std::move(spec));
  for (auto& spec : by_parts_parameters()) specs.push_back(std::move(spec));
  for (auto& spec : other_scaling_parameters()) specs.push_back(std::move(spec));
  for (auto& spec : plain_rope_parameters()) specs.push_back(std::move(spec));
  return specs;
}

std::vector<ParameterSpec> rope_curve_parameters(Index default_q_length) {
  auto specs = query_parameters(SequenceUse::lengths, default_q_length);
  for (auto& spec : rope_scaling_parameters()) specs.push_back(std::move(spec));
  return specs;
}

RopeScaling rope_scaling_from(const ParameterValues& values) {
  RopeScaling s;
  s.rope_type = values.choice("rope_type");
  s.head_dim = values.integer("head_dim");
  s.rotary_dim = values.integer("rotary_dim");
  s.rope_theta = values.real("rope_theta");
  s.factor = values.real("factor");
  s.original_max_position_embeddings = values.integer("original_max_position_embeddings");
  if (values.find("seq_len")) s.seq_len = values.integer("seq_len");
  if (s.seq_len == 0) s.seq_len = values.integer("q_length") + values.integer("past_len");
  s.beta_fast = values.real("beta_fast");
  s.beta_slow = values.real("beta_slow");
  s.truncate = values.boolean("truncate");
  s.yarn_ramp = values.choice("yarn_ramp") == "rotation_count" ? YarnRamp::rotation_count : YarnRamp::dimension_index;
  s.attention_factor = values.real("attention_factor");
  s.mscale = values.real("mscale");
  s.mscale_all_dim = values.real("mscale_all_dim");
  s.ntk_factor = values.real("ntk_factor");
  s.extrapolation_factor = values.real("extrapolation_factor");
  s.beta_0 = values.real("beta_0");
  s.beta_1 = values.real("beta_1");
  s.gamma_0 = values.real("gamma_0");
  s.gamma_1 = values.real("gamma_1");
  s.low_freq_factor = values.real("low_freq_factor");
  s.high_freq_factor = values.real("high_freq_factor");
  s.short_factor = values.reals("short_factor");
  s.long_factor = values.reals("long_factor");
  if (values.find("precision"))
    s.precision = values.choice("precision") == "exact" ? RopePrecision::exact : RopePrecision::hf_float32;
  return s;
}

ParameterValues rope_scaling_values(const RopeScaling& s) {
  ParameterValues values;
  values.set("rope_type", s.rope_type);
  values.set("head_dim", s.head_dim);
  values.set("rotary_dim", s.rotary_dim);
  values.set("rope_theta", s.rope_theta);
  values.set("factor", s.factor);
  values.set("original_max_position_embeddings", s.original_max_position_embeddings);
  values.set("seq_len", s.seq_len);
  values.set("beta_fast", s.beta_fast);
  values.set("beta_slow", s.beta_slow);
  values.set("truncate", s.truncate);
  values.set("yarn_ramp", std::string(s.yarn_ramp == YarnRamp::rotation_count ? "rotation_count" : "dimension_index"));
  values.set("attention_factor", s.attention_factor);
  values.set("mscale", s.mscale);
  values.set("mscale_all_dim", s.mscale_all_dim);
  values.set("ntk_factor", s.ntk_factor);
  values.set("extrapolation_factor", s.extrapolation_factor);
  values.set("beta_0", s.beta_0);
  values.set("beta_1", s.beta_1);
  values.set("gamma_0", s.gamma_0);
  values.set("gamma_1", s.gamma_1);
  values.set("low_freq_factor", s.low_freq_factor);
  values.set("high_freq_factor", s.high_freq_factor);
  values.set("short_factor", s.short_factor);
  values.set("long_factor", s.long_factor);
  values.set("precision", std::string(s.precision == RopePrecision::exact ? "exact" : "hf_float32"));
  return values;
}

}  // namespace vqscope
