// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/rope/curve_values.h"

#include "core/base/sentence.h"
#include "core/curve/methods.h"
#include "core/curve/rope/rope_series.h"
#include "core/method/curve_set.h"
#include "core/method/shared/common_parameters.h"
#include "core/method/shared/published.h"

#include <algorithm>
#include <numbers>

namespace vqscope {
namespace {

constexpr Index most_ood_points = 256;  // the curve is smooth, and each length has frequencies of its own

constexpr Index most_searched_cosines = Index{1} << 28;  // a second; T = 2^22 at 64 pairs

/// With x_unit and points, for curves over a length.
std::vector<ParameterSpec> curve_parameters(std::vector<std::string> compare) {
  auto specs = rope_series_parameters(std::move(compare));
  specs.push_back(x_unit_parameter());
  specs.push_back(points_parameter("Curve", 8192, 65536));
  return specs;
}

/// The x axis is seq_len, and decides the factor of the types that have no length of their own.
std::vector<ParameterSpec> phase_ood_parameters(std::vector<std::string> compare) {
  auto specs = curve_parameters(std::move(compare));
  std::erase_if(specs, [](const ParameterSpec& spec) { return spec.name == "seq_len"; });
  const std::string reach = "q_length + past_len, if that is more than 32 times the training length";
  for (auto& spec : specs) {
    if (spec.name == "q_length") spec.help = fmt::format("The curve ends at {}; smaller values have no effect.", reach);
    if (spec.name == "past_len") spec.help = fmt::format("Tokens in the cache: the curve ends at {}.", reach);
    if (spec.name == "factor")
      spec.help =
          "For dynamic and longrope: ratio of the longest supported sequence to the training length. The other types "
          "use factor = length / training length at each length.";
    if (spec.name == "points")
      spec.help = fmt::format("Maximum number of points on the curve, at most {}.", most_ood_points);
  }
  specs.push_back(overlay_parameter());
  return specs;
}

const std::vector<std::string> usual{"linear", "ntk", "dynamic"};

Result<CurveSet> make_score(const ParameterValues& values, const Work& work) {
  const auto scalings = rope_series(values);
  const Index q_length = values.integer("q_length");
  CurveSet set = over_distances(values, "score of a token with itself, B(r)",
                                "B(r) = sum over pairs of cos(r · inv_freq), times the attention factor squared; "
                                "random tokens average 0 at every r");
  for (const auto& scaling : scalings) {
    const auto frequencies = rope_frequencies(scaling);
    const auto rates = turns_of(frequencies.inv_freq);
    set.curves.push_back({scaling.rope_type, rope_scores(rates, set.x, work.stop)});
    for (double& y : set.curves.back().y) y *= score_factor(frequencies);
    const Index searched = std::min(q_length, most_searched_cosines / static_cast<Index>(rates.size()));
    const auto negative = first_negative(rates, searched, work.stop);
    add_series_fact(set, "first_negative", scaling.rope_type, negative ? static_cast<double>(*negative) : no_value);
    if (frequencies.attention_factor != 1)
      add_series_fact(set, "attention_factor", scaling.rope_type, frequencies.attention_factor);
    if (!negative && searched < q_length)
      add_series_fact(set, "first_negative_searched_below", scaling.rope_type, static_cast<double>(searched));
  }
  if (work.stop.stop_requested()) return cancelled();
  set.levels = {{0, "mean of random tokens"}};
  const CurveMark trained = trained_mark(scalings.front().original_max_position_embeddings);
  if (trained.x < static_cast<double>(q_length)) set.marks.push_back(trained);
  apply_x_unit(values, scalings.front().original_max_position_embeddings, set);
  return set;
}

Result<CurveSet> make_wavelength(const ParameterValues& values, const Work&) {
  const auto scalings = rope_series(values);
  const auto trained = static_cast<double>(scalings.front().original_max_position_embeddings);
  CurveSet set{.x_name = "pair",
               .x_title = "frequency pair i",
               .y_title = "wavelength (tokens)",
               .formula =
                   "wavelength = 2π / inv_freq; a pair whose wavelength before scaling exceeds the training length "
                   "has never made a whole turn in training",
               .log_y = true};
  for (Index i = 0; i < scalings.front().pairs(); ++i) set.x.push_back(static_cast<double>(i));
  for (const auto& scaling : scalings) {
    set.curves.push_back({scaling.rope_type, {}});
    auto& y = set.curves.back().y;
    for (const long double inv_freq : rope_frequencies(scaling).inv_freq) y.push_back(wavelength(inv_freq));
    add_series_fact(set, "pairs_beyond_trained_length", scaling.rope_type,
                    static_cast<double>(std::ranges::count_if(y, [&](double tokens) { return tokens > trained; })));
  }
  // In training the frequencies were those before any scaling.
  RopeScaling unscaled = scalings.front();
  unscaled.rope_type = "default";
  const auto rates = rope_frequencies(unscaled).inv_freq;
  const auto beyond = std::ranges::find_if(rates, [&](long double rate) { return wavelength(rate) > trained; });
  if (beyond != rates.end())
    set.marks.push_back({static_cast<double>(beyond - rates.begin()), "no whole turn in training"});
  set.levels = {{trained, "training length " + grouped(static_cast<Index>(trained))}};
  return set;
}

Result<CurveSet> make_inv_freq(const ParameterValues& values, const Work&) {
  const RopeFrequencies frequencies = rope_frequencies(rope_scaling_from(values));
  CurveSet set{.x_name = "pair",
               .x_title = "frequency pair i",
               .y_title = "radians a position; tokens a turn",
               .formula = "inv_freq = rope_theta^(-2i/d), as the scaling changes it; wavelength = 2π / inv_freq",
               .log_y = true};
  set.curves = {{"inv_freq", {}}, {"wavelength", {}}};
  for (const long double inv_freq : frequencies.inv_freq) {
    set.x.push_back(static_cast<double>(set.x.size()));
    set.curves[0].y.push_back(static_cast<double>(inv_freq));
    set.curves[1].y.push_back(wavelength(inv_freq));
  }
  set.principal = 0;
  set.facts = {{"attention_factor", frequencies.attention_factor}};
  return set;
}

double arc(long double inv_freq, Index length) {
  const long double swept = inv_freq * static_cast<long double>(length - 1);
  return static_cast<double>(std::min(2 * std::numbers::pi_v<long double>, swept));
}

std::vector<double> trained_arcs(RopeScaling scaling) {
  scaling.rope_type = "default";
  std::vector<double> arcs;
  for (const long double inv_freq : rope_frequencies(scaling).inv_freq)
    arcs.push_back(arc(inv_freq, scaling.original_max_position_embeddings));
  return arcs;
}

double excess(const std::vector<double>& trained, RopeScaling scaling, Index length) {
  scaling.seq_len = length;
  if (!rope_type(scaling.rope_type).reads("seq_len"))
    scaling.factor = static_cast<double>(length) / static_cast<double>(scaling.original_max_position_embeddings);
  const auto inv_freq = rope_frequencies(scaling).inv_freq;
  double sum = 0;
  for (std::size_t i = 0; i < inv_freq.size(); ++i) {
    const double tested = arc(inv_freq[i], length);
    if (tested > 0) sum += std::max(0.0, tested - trained[i]) / tested;
  }
  return sum / static_cast<double>(inv_freq.size());
}

Result<CurveSet> make_phase_ood(const ParameterValues& values, const Work& work) {
  const auto scalings = rope_series(values);
  const Index trained = scalings.front().original_max_position_embeddings;
  const Index longest = std::max(values.integer("q_length") + values.integer("past_len"), 32 * trained);
  CurveSet set{
      .x_name = "length",
      .x_title = "sequence length L (tokens)",
      .y_title = "untrained share of the phases",
      .formula =
          "mean over pairs of max(0, tested − trained) / tested; trained arc = min(2π, inv_freq · (L_train − 1)), "
          "tested arc = min(2π, scaled inv_freq · (L − 1)); factor = L / L_train, dynamic types follow L; zero "
          "is not \"works\": " +
          rope_geometry,
      .log_x = true};
  set.x = integer_axis(trained, longest, std::min(values.integer("points"), most_ood_points), true);
  set.exact = static_cast<Index>(set.x.size()) == longest - trained + 1;
  const auto arcs = trained_arcs(scalings.front());
  for (const auto& scaling : scalings) {
    set.curves.push_back({scaling.rope_type, {}});
    for (const double length : set.x) {
      if (work.stop.stop_requested()) return cancelled();
      set.curves.back().y.push_back(excess(arcs, scaling, static_cast<Index>(length)));
    }
  }
  set.marks = {trained_mark(scalings.front().original_max_position_embeddings)};
  apply_overlay(values, set);
  apply_x_unit(values, trained, set);
  return set;
}

const Citation score_citation{
    "Su et al. 2021, RoFormer, section 3.4.3; Men et al. 2024, Base of RoPE Bounds Context Length",
    "Hugging Face transformers, modeling_rope_utils"};
const Citation scaling_citation{"Chen et al. 2023, Position Interpolation; Peng et al. 2023, YaRN, section 3",
                                "Hugging Face transformers, modeling_rope_utils"};

}  // namespace

double phase_excess(const RopeScaling& scaling, Index length) { return excess(trained_arcs(scaling), scaling, length); }

Method rope_score_method() {
  return {.id = "rope_score",
          .title = "Score by distance",
          .help = "Score between two identical tokens r positions apart, from the encoding alone.",
          .citation = score_citation,
          .parameters = curve_parameters(usual),
          .check = check_rope_series,
          .recipe = CurveRecipe{.make = make_score, .related = {"rope_wavelength", "rope_phase_ood"}}};
}

Method rope_wavelength_method() {
  return {.id = "rope_wavelength",
          .title = "Wavelength by pair",
          .help = "Wavelength of each pair in tokens, compared with the training length.",
          .citation = scaling_citation,
          .parameters = rope_series_parameters({}),
          .check = check_rope_series,
          .recipe = CurveRecipe{.make = make_wavelength}};
}

Method rope_inv_freq_method() {
  return {.id = "rope_inv_freq",
          .title = "RoPE frequencies",
          .help = "Frequency of each pair in radians per position, and its wavelength in tokens.",
          .citation = {"Su et al. 2021, RoFormer, section 3.4",
                       "Hugging Face transformers, modeling_rope_utils and apply_rotary_pos_emb"},
          .parameters = rope_curve_parameters(8192),
          .check = [](const ParameterValues& values) { return rope_scaling_from(values).check(); },
          .recipe = CurveRecipe{.make = make_inv_freq}};
}

Method rope_phase_ood_method() {
  return {.id = "rope_phase_ood",
          .title = "Untrained phases by length",
          .help = "Fraction of the angles in a longer sequence that did not occur in training.",
          .citation = scaling_citation,
          .parameters = phase_ood_parameters(usual),
          .check = check_rope_series,
          .recipe = CurveRecipe{.make = make_phase_ood, .related = {"rope_wavelength"}}};
}

}  // namespace vqscope
