// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/rope/rope_series.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr Index default_q_length = 8192;

}  // namespace

std::vector<ParameterSpec> rope_series_parameters(std::vector<std::string> compare) {
  auto specs = rope_curve_parameters(default_q_length);
  // Parameters that rope_type ignores may be relevant for a compared type.
  for (auto& spec : specs)
    for (auto& relevance : spec.relevant) relevance.also = "compare";
  std::vector<Choice> types;
  for (const auto& type : rope_types()) types.push_back({type.id, type.help});
  specs.push_back(
      make_parameter("compare", "RoPE", "RoPE types to plot beside rope_type, with the same values.",
                     {.label = "Also draw", .default_value = std::move(compare), .choices = std::move(types)}));
  return specs;
}

std::vector<ParameterSpec> unscaled_rope_parameters(Index default_q_length) {
  std::vector<ParameterSpec> specs;
  for (auto& spec : rope_curve_parameters(default_q_length))
    if (spec.name == "q_length" || spec.name == "original_max_position_embeddings" || spec.name == "rope_theta" ||
        spec.name == "head_dim" || spec.name == "rotary_dim")
      specs.push_back(std::move(spec));
  return specs;
}

RopeScaling unscaled_rope_from(const ParameterValues& values) {
  return {.head_dim = values.integer("head_dim"),
          .rotary_dim = values.integer("rotary_dim"),
          .rope_theta = values.real("rope_theta"),
          .original_max_position_embeddings = values.integer("original_max_position_embeddings")};
}

std::vector<RopeScaling> rope_series(const ParameterValues& values) {
  std::vector<RopeScaling> all{rope_scaling_from(values)};
  const auto& compare = values.choices("compare");
  for (const auto& type : rope_types()) {
    if (type.id == all.front().rope_type || std::ranges::count(compare, type.id) == 0) continue;
    all.push_back(all.front());
    all.back().rope_type = type.id;
  }
  return all;
}

Result<void> check_rope_series(const ParameterValues& values) {
  for (const auto& scaling : rope_series(values))
    if (auto checked = scaling.check(); !checked) return checked;
  return {};
}

void add_series_fact(CurveSet& set, const std::string& name, const std::string& rope_type, double value) {
  set.facts.emplace_back(set.curves.size() == 1 ? name : fmt::format("{}_{}", name, rope_type), value);
}

CurveMark trained_mark(Index trained) { return {static_cast<double>(trained), "training length " + grouped(trained)}; }

double score_factor(const RopeFrequencies& frequencies) {
  return frequencies.attention_factor * frequencies.attention_factor;
}

}  // namespace vqscope
