// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/rope/rope_values.h"

#include "core/base/sentence.h"
#include "core/encoding/rope/rope_scaling.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

/// By pair, what divides the frequencies of theta.
Result<std::vector<double>> divisors_of(const WhichRope& rope, double theta) {
  std::vector<double> divisors;
  const double dims = 2 * static_cast<double>(rope.inv_freq.size());
  for (std::size_t pair = 0; pair < rope.inv_freq.size(); ++pair) {
    const double plain = std::pow(theta, -2 * static_cast<double>(pair) / dims);
    divisors.push_back(plain / rope.inv_freq[pair]);
    if (!(rope.inv_freq[pair] > 0) || divisors.back() < 0.001 || divisors.back() > 1e6)
      return invalid("pair {} turns by {} radians a position, which no type of RoPE has", pair,
                     to_text(rope.inv_freq[pair], 6));
  }
  return divisors;
}

void take_formula(const WhichRope& rope, const std::string& type, RopeScaling& scaling) {
  scaling.rope_type = type == "proportional" || type == "mrope" ? "default" : type;
  if (rope.rope_theta) scaling.rope_theta = *rope.rope_theta;
  // theta^(-2i / head_dim) of the columns that turn
  if (type == "proportional")
    scaling.rope_theta =
        std::pow(scaling.rope_theta, static_cast<double>(scaling.rotated()) / static_cast<double>(scaling.head_dim));
  if (rope.factor) scaling.factor = *rope.factor;
  if (rope.original_max_position_embeddings)
    scaling.original_max_position_embeddings = std::llround(*rope.original_max_position_embeddings);
}

}  // namespace

Result<ParameterValues> rope_values(const WhichRope& rope) {
  if (!rope.rope_type) return invalid("llama3 and yarn fit these tensors alike; a longer capture tells them apart");
  const std::string& type = *rope.rope_type;
  RopeScaling scaling;
  scaling.rotary_dim = rope.rotary_dim.value_or(2 * std::ssize(rope.inv_freq));
  scaling.head_dim = std::max(rope.head_dim.value_or(scaling.rotary_dim), scaling.rotary_dim);
  const bool has_formula = type != "unknown" && type != "longrope";
  if (has_formula) {
    take_formula(rope, type, scaling);
  } else {
    scaling.rotary_dim = 2 * std::ssize(rope.inv_freq);
    auto divisors = divisors_of(rope, scaling.rope_theta);
    if (!divisors) return divisors.error();
    scaling.rope_type = "longrope";
    scaling.short_factor = *divisors;
    scaling.long_factor = std::move(*divisors);
  }
  const RopeType& row = rope_type(scaling.rope_type);
  if (row.reads("attention_factor")) scaling.attention_factor = rope.attention_factor;
  if (auto checked = scaling.check(); !checked) return checked.error();
  ParameterValues values;
  const ParameterValues all = rope_scaling_values(scaling);
  for (const auto& [name, value] : all.map())
    if (row.reads(name) && name != "seq_len") values.set(name, value);
  for (const auto* name : {"rope_type", "rope_theta", "head_dim", "rotary_dim", "original_max_position_embeddings"})
    values.set(name, *all.find(name));
  values.set("pair_layout", std::string(name_of(rope.pair_layout.value_or(PairLayout::half_split))));
  return values;
}

}  // namespace vqscope
