// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/reach/reach_values.h"

#include "core/base/sentence.h"
#include "core/curve/methods.h"
#include "core/curve/rope/rope_series.h"
#include "core/encoding/methods.h"
#include "core/encoding/relative_method.h"
#include "core/encoding/rope/rope_fields.h"
#include "core/encoding/table/table_values.h"
#include "core/method/shared/borrowed.h"
#include "core/method/shared/common_parameters.h"
#include "core/method/shared/published.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index longest_resolution = Index{1} << 16;
constexpr Index chunk = 4096;
const std::string line = "alibi";

/// A method that scores by relative position: a sum of pairs.
struct PairScore {
  Method method;
  std::string dimensions;           ///< parameter with twice the number of pairs
  std::vector<std::string> others;  ///< parameters looked at besides
};

/// Parameters of scaled RoPE, without those that the curve has itself.
std::vector<std::string> scaling_names() {
  std::vector<std::string> names;
  for (const auto& spec : rope_scaling_parameters())
    if (spec.name != "head_dim" && spec.name != "rotary_dim" && spec.name != "original_max_position_embeddings" &&
        spec.name != "precision")
      names.push_back(spec.name);
  return names;
}

const std::vector<PairScore>& pair_scores() {
  static const std::vector<PairScore> all{{xpos_score_method(), "head_dim", {"rope_theta", "scale_base"}},
                                          {rope_score_field_method(), "head_dim", scaling_names()},
                                          {sinusoidal_similarity_method(), "d_model", {}}};
  return all;
}

ParameterSpec scores_parameter() {
  ParameterSpec spec = make_parameter("scores", "Resolution", "Encodings whose scores are plotted.",
                                      {.kind = ParameterKind::choice_set});
  for (const auto& score : pair_scores()) spec.choices.push_back({score.method.id, score.method.title});
  spec.choices.push_back({line, "ALiBi: −slope · n"});
  spec.default_value = std::vector<std::string>{"xpos_score", "rope_score_field", "sinusoidal_similarity", line};
  return spec;
}

std::vector<ParameterSpec> attention_resolution_parameters() {
  std::vector<ParameterSpec> specs;
  for (auto& spec : rope_curve_parameters(8192))
    if (spec.name == "q_length" || spec.name == "original_max_position_embeddings") specs.push_back(std::move(spec));
  specs[0].help = fmt::format("Longest length on the curve, at most {}.", longest_resolution);
  specs[1].group = "Resolution";
  specs.push_back(scores_parameter());
  std::vector<std::string> sums;
  for (const auto& score : pair_scores()) sums.push_back(score.method.id);
  add_parameter(
      specs, "score_scale", "Resolution", "Factor applied to the mean over the pairs before the softmax.",
      {.default_value = 8.0, .minimum = 0.01, .maximum = 100, .logarithmic = true, .relevant = {{"scores", sums}}});
  add_parameter(
      specs, "slope", "Resolution", "ALiBi: penalty per token of distance.",
      {.default_value = 0.0625, .minimum = 1e-6, .maximum = 10, .logarithmic = true, .relevant = {{"scores", {line}}}});
  for (const auto& score : pair_scores()) {
    auto own = score.method.parameters;
    std::erase_if(own, [&](const ParameterSpec& spec) {
      return spec.name != score.dimensions && std::ranges::count(score.others, spec.name) == 0;
    });
    for (auto& spec : own) spec.group = "Resolution";
    borrow_parameters(specs, own, "scores", score.method.id);
  }
  specs.push_back(points_parameter("Curve", 512, 4096));
  specs.push_back(x_unit_parameter());
  specs.push_back(overlay_parameter());
  return specs;
}

Result<void> check_attention_resolution(const ParameterValues& values) {
  if (auto checked = check_chosen(values, "scores"); !checked) return checked;
  for (const auto& score : pair_scores())
    if (is_chosen(values, "scores", score.method.id))
      if (auto checked = check_borrowed(score.method, values); !checked) return checked;
  return {};
}

/// R at each T of `lengths`, ascending. Stopped: fewer.
std::vector<double> resolutions(const RelativeFunction& f, double scale, std::span<const double> lengths,
                                const std::stop_token& stop) {
  std::vector<double> all;
  ResolutionSums sums;
  std::vector<double> scores(static_cast<std::size_t>(chunk) + 1);
  const auto longest = static_cast<Index>(lengths.back());
  for (Index first = 0; first < longest && !stop.stop_requested(); first += chunk) {
    const Index count = std::min(chunk, longest - first);
    const auto some = std::span(scores).first(static_cast<std::size_t>(count) + 1);
    f.fill(-first - count, some);  // the furthest key first
    for (Index k = 0; k < count; ++k) {
      const auto at = static_cast<std::size_t>(count - k);
      sums.add(scale * some[at], scale * some[at - 1]);
      if (lengths[all.size()] == static_cast<double>(first + k + 1)) all.push_back(sums.resolution());
    }
  }
  return all;
}

CurveSet attention_resolution_described() {
  return {.x_name = "length",
          .x_title = "sequence length T (tokens)",
          .y_title = "attention resolution R(s)",
          .formula =
              "R(s) = sum over n < T of e^s(n) · (e^s(n) − e^s(n+1)) / (sum over n < T of e^s(n))², s(n) the "
              "score of the key n tokens back: score_scale times the mean over pairs, or −slope · n; " +
              rope_geometry,
          .log_x = true,
          .log_y = true};  // R is above 0 wherever s(0) is the highest score
}

Result<CurveSet> make_attention_resolution(const ParameterValues& values, const Work& work) {
  const Index longest = std::min(values.integer("q_length"), longest_resolution);
  const Index trained = values.integer("original_max_position_embeddings");
  CurveSet set = attention_resolution_described();
  set.x = integer_axis(1, longest, values.integer("points"), true);
  set.exact = static_cast<Index>(set.x.size()) == longest;
  const auto all = static_cast<double>(values.choices("scores").size());
  const auto add = [&](const std::string& id, const RelativeFunction& f, double scale) {
    set.curves.push_back({id, resolutions(f, scale, set.x, work.stop)});
    if (work.stop.stop_requested()) return;
    set.facts.emplace_back("resolution_" + id, set.curves.back().y.back());
    work.report(static_cast<double>(set.curves.size()) / all);
  };
  ParameterValues at_longest = values;  // of scalings that follow the length
  if (values.integer("seq_len") == 0) at_longest.set("seq_len", longest);
  for (const auto& [method, dimensions, others] : pair_scores()) {
    if (!is_chosen(values, "scores", method.id)) continue;
    const auto f = borrowed_function(method, at_longest);
    if (!f) return f.error();
    add(method.id, *f, values.real("score_scale") * 2 / static_cast<double>(values.integer(dimensions)));
  }
  if (is_chosen(values, "scores", line))
    add(line, RelativeFunction{{smooth_from(before_all, [m = values.real("slope")](double r) { return m * r; })}}, 1);
  if (work.stop.stop_requested()) return cancelled();
  if (trained <= longest) set.marks = {trained_mark(trained)};
  apply_overlay(values, set);
  apply_x_unit(values, trained, set);
  return set;
}

}  // namespace

void ResolutionSums::add(double score, double next) {
  if (score > m_highest) {
    const double shrink = std::exp(m_highest - score);
    m_weights *= shrink;
    m_products *= shrink * shrink;
    m_highest = score;
  }
  const double weight = std::exp(score - m_highest);
  m_weights += weight;
  m_products += weight * (weight - std::exp(next - m_highest));
}

Method attention_resolution_method() {
  return {.id = "attention_resolution",
          .title = "Attention resolution by length",
          .help = "How well attention separates adjacent keys, from the scores of the encoding alone.",
          .citation = {"Sun et al. 2023, A Length-Extrapolatable Transformer, section 2.1",
                       "none compared: the formula of the paper"},
          .parameters = attention_resolution_parameters(),
          .check = check_attention_resolution,
          .recipe = CurveRecipe{.make = make_attention_resolution, .related = {"rope_score", "rope_bound"}}};
}

}  // namespace vqscope
