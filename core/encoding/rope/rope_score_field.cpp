// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/rope/rope_fields.h"

#include "core/base/sentence.h"
#include "core/encoding/methods.h"
#include "core/encoding/relative_method.h"

#include <algorithm>

namespace vqscope {
namespace {

std::string why_rope_score_field(const ParameterValues& values, Index relative) {
  const RopeScaling scaling = rope_scaling_from(values);
  const double factor = rope_frequencies(scaling).attention_factor;
  std::string text = fmt::format("{}: Σ cos({} · inv_freq) over {} pairs", place_text(relative),
                                 grouped(std::abs(relative)), scaling.pairs());
  if (factor != 1) text += fmt::format(", times the attention factor {} squared", to_text(factor, 6));
  if (std::abs(relative) >= scaling.original_max_position_embeddings)
    text += "; beyond the training length " + grouped(scaling.original_max_position_embeddings);
  return text;
}

}  // namespace

std::vector<Wave> rope_waves(const RopeScaling& scaling, double amplitude) {
  const RopeFrequencies frequencies = rope_frequencies(scaling);
  const double factor = frequencies.attention_factor;
  return waves_of(turns_of(frequencies.inv_freq), amplitude * factor * factor);
}

std::vector<ParameterSpec> rope_parameters(std::span<const std::string_view> names) {
  auto specs = rope_scaling_parameters();
  std::erase_if(specs, [&](const ParameterSpec& spec) { return std::ranges::count(names, spec.name) == 0; });
  return specs;
}

ParameterValues rope_lengths_in_force(const ParameterValues& values) {
  ParameterValues used;
  used.set("rotary_dim", values.integer("head_dim"));
  used.set("seq_len", values.integer("q_length") + values.integer("past_len"));
  return used;
}

Result<void> check_rope(const ParameterValues& values) { return rope_scaling_from(values).check(); }

Method rope_score_field_method() {
  return relative_method(
      {.id = "rope_score_field",
       .title = "RoPE score",
       .category = "scores",
       .help = "Score between identical tokens from RoPE alone: Σ cos(distance · θ) over the pairs, which is q · k / 2 "
               "for q = k = ones.",
       .citation = {"Su et al. 2021, RoFormer, section 3.4.3",
                    "Hugging Face transformers, modeling_rope_utils and apply_rotary_pos_emb"},
       .parameters = rope_scaling_parameters(),
       .in_force = rope_lengths_in_force,
       .check = check_rope,
       .value_name = "score",
       .related = {"rope_score"},
       .function = [](const ParameterValues& values) -> Result<RelativeFunction> {
         return RelativeFunction{{waves_from(before_all, rope_waves(rope_scaling_from(values)))}, true};
       },
       .why = why_rope_score_field});
}

}  // namespace vqscope
