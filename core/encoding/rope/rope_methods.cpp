// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/methods.h"

#include "core/encoding/rope/rope_fields.h"
#include "core/encoding/rope/rope_formulas.h"
#include "core/sequence/query_layout.h"

namespace vqscope {
namespace {

constexpr Index rope_methods_default_q_length = 8192;

const Citation rope_methods_citation{"Su et al. 2021, RoFormer, section 3.4",
                                     "Hugging Face transformers, modeling_rope_utils and apply_rotary_pos_emb"};

std::vector<ParameterSpec> rope_methods_field_parameters(bool by_dimension) {
  auto specs = query_parameters(SequenceUse::positions, rope_methods_default_q_length);
  specs.push_back(position_ids_parameter());
  for (auto& spec : rope_scaling_parameters()) specs.push_back(std::move(spec));
  specs.push_back(pair_layout_parameter());
  if (by_dimension)
    add_parameter(specs, "columns", "RoPE", "What each column stands for.",
                  {.default_value = std::string("pairs"),
                   .choices = {{"pairs", "one column per frequency"},
                               {"dimensions", "one column per dimension of the head, in the order of pair_layout"}}});
  return specs;
}

bool by_dimension(const ParameterValues& values) {
  return values.find("columns") && values.choice("columns") == "dimensions";
}

Result<std::shared_ptr<const Field>> make_field_of(const ParameterValues& values, PhaseQuantity quantity) {
  const auto layout = layout_at_position_ids(values);
  if (!layout) return layout.error();
  const RopeScaling scaling = rope_scaling_from(values);
  return make_rope_field({.scaling = scaling,
                          .frequencies = rope_frequencies(scaling),
                          .layout = *layout,
                          .quantity = quantity,
                          .pair_layout = pair_layout_of(values.choice("pair_layout")),
                          .columns = by_dimension(values) ? RopeColumns::dimensions : RopeColumns::pairs});
}

Result<void> check_table(const ParameterValues& values) {
  if (const auto layout = layout_at_position_ids(values); !layout) return layout.error();
  return rope_scaling_from(values).check();
}

std::string col_name(const ParameterValues& values) { return by_dimension(values) ? "dimension" : "pair"; }

struct FieldTexts {
  std::string id, title, help, value_title;
  ValueScale scale;
};

ParameterValues rope_in_force(const ParameterValues& values) {
  ParameterValues used = lengths_in_force(values);
  used.set("rotary_dim", values.integer("head_dim"));
  used.set("seq_len", values.integer("q_length") + values.integer("past_len"));
  used.set("attention_factor", default_attention_factor(rope_scaling_from(values)));
  return used;
}

Method field_method(const FieldTexts& texts, PhaseQuantity quantity) {
  const bool wave = quantity != PhaseQuantity::phase;
  return {.id = texts.id,
          .title = texts.title,
          .category = "rotary",
          .help = texts.help,
          .citation = rope_methods_citation,
          .parameters = rope_methods_field_parameters(wave),
          .in_force = rope_in_force,
          .check = check_table,
          .recipe = FieldRecipe{.row_title = "query q",
                                .col_title = wave ? "frequency pair or dimension" : "frequency pair i",
                                .value_title = texts.value_title,
                                .scale = texts.scale,
                                .col_name = col_name,
                                .related = {"rope_wavelength"},
                                .make = [quantity](const ParameterValues& values, const Work&) {
                                  return make_field_of(values, quantity);
                                }}};
}

}  // namespace

Method rope_phase_method() {
  Method method = field_method({"rope_phase", "RoPE phase", "Angle by which RoPE rotates pair i of query q, modulo 2π.",
                                "phase (rad)", ValueScale::cyclic},
                               PhaseQuantity::phase);
  method.traits =
      EncodingTraits{.relative = true,
                     .extrapolation =
                         "Poor as trained (Press et al. 2022, table 2); scaled frequencies "
                         "reach further, most after fine-tuning (Chen et al. 2023).",
                     .note = {.trade_off = "No parameters and nothing to add to scores, so any attention kernel works. "
                                           "It multiplies and mixes the two numbers of a pair, where a sinusoid is "
                                           "added to each. Slow pairs meet new angles beyond the training length.",
                              .curve = "rotary (Press et al.)"}};
  return method;
}

Method rope_cos_method() {
  return field_method(
      {"rope_cos", "RoPE cos", "Cosine of RoPE's angle: the cos tensor of a model.", "cos", ValueScale::diverging},
      PhaseQuantity::cos);
}

Method rope_sin_method() {
  return field_method(
      {"rope_sin", "RoPE sin", "Sine of RoPE's angle: the sin tensor of a model.", "sin", ValueScale::diverging},
      PhaseQuantity::sin);
}

}  // namespace vqscope
