// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/rope/rope_series.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vqscope {
namespace {

constexpr Index rope_series_length = 8192;

constexpr Index most_products = 64;

}  // namespace

std::vector<ParameterSpec> rope_series_parameters(std::vector<std::string> compare) {
  auto specs = rope_curve_parameters(rope_series_length);
  // Parameters that rope_type ignores may be relevant for a compared type.
  for (auto& spec : specs)
    for (auto& relevance : spec.relevant) relevance.also = "compare";
  std::vector<Choice> types;
  for (const auto& type : rope_types()) types.push_back({type.id, type.help});
  add_parameter(specs, "compare", "RoPE", "RoPE types to plot beside rope_type, with the same values.",
                {.label = "Also draw", .default_value = std::move(compare), .choices = std::move(types)});
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

CurveSet over_distances(const ParameterValues& values, const std::string& y_title, const std::string& formula) {
  const Index q_length = values.integer("q_length");
  CurveSet set{.x_name = "relative_distance",
               .x_title = "relative distance r (tokens)",
               .y_title = y_title,
               .formula = formula + "; " + rope_geometry};
  set.x = mixed_axis(0, q_length - 1, values.integer("points"));
  set.exact = static_cast<Index>(set.x.size()) == q_length;
  return set;
}

CurveMark trained_mark(Index trained) { return {static_cast<double>(trained), "training length " + grouped(trained)}; }

double score_factor(const RopeFrequencies& frequencies) {
  return frequencies.attention_factor * frequencies.attention_factor;
}

UnitVectors::UnitVectors(std::span<const Turns> rates, Index r)
    : cos(static_cast<Eigen::Index>(rates.size())), sin(static_cast<Eigen::Index>(rates.size())) {
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const double angle = signed_radians(static_cast<Turns>(r) * rates[i]);
    cos[static_cast<Eigen::Index>(i)] = std::cos(angle);
    sin[static_cast<Eigen::Index>(i)] = std::sin(angle);
  }
}

RopeWalk::RopeWalk(std::span<const Turns> rates)
    : m_rates(rates), m_now(rates, 0), m_kept{Step{0, m_now}, Step{0, m_now}} {}

const UnitVectors& RopeWalk::at(Index r) {
  if (m_walked++ % most_products == 0)
    m_now = UnitVectors(m_rates, r);
  else
    turn_by(vectors_of(r - m_at));
  m_at = r;
  return m_now;
}

const UnitVectors& RopeWalk::vectors_of(Index size) {
  if (m_kept[0].size != size) std::swap(m_kept[0], m_kept[1]);
  if (m_kept[0].size != size) m_kept[0] = {size, UnitVectors(m_rates, size)};
  return m_kept[0].by;
}

void RopeWalk::turn_by(const UnitVectors& by) {
  m_next = m_now.cos * by.cos - m_now.sin * by.sin;
  m_now.sin = m_now.sin * by.cos + m_now.cos * by.sin;
  m_now.cos.swap(m_next);
}

}  // namespace vqscope
