// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/rope/curve_values.h"

#include "core/curve/methods.h"
#include "core/curve/rope/rope_series.h"
#include "core/method/shared/common_parameters.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace vqscope {
namespace {

std::vector<ParameterSpec> critical_dimension_parameters() {
  auto specs = unscaled_rope_parameters(131072);
  specs.front().help = "Longest training length on the curve.";
  specs.push_back(points_parameter("Curve", 1024, 4096));
  return specs;
}

/// Wavelengths of all pairs, ascending.
std::vector<double> wavelengths_of(const RopeScaling& scaling) {
  std::vector<double> all;
  for (const long double inv_freq : rope_frequencies(scaling).inv_freq) all.push_back(wavelength(inv_freq));
  return all;
}

Index dimensions_within(const std::vector<double>& wavelengths, double length) {
  return 2 * (std::ranges::upper_bound(wavelengths, length) - wavelengths.begin());
}

Result<CurveSet> make_critical_dimension(const ParameterValues& values, const Work& work) {
  const RopeScaling scaling = unscaled_rope_from(values);
  const Index trained = scaling.original_max_position_embeddings;
  const Index longest = values.integer("q_length");
  CurveSet set{.x_name = "trained_length",
               .x_title = "training length L (tokens)",
               .y_title = "dimensions",
               .formula =
                   "2 · ceil(d/2 · log_b(L / 2π)), and twice the number of pairs whose wavelength 2π · b^(2i/d) "
                   "is at most L; the other dimensions have never made a whole turn in training; " +
                   rope_geometry,
               .log_x = true,
               .steps = true,
               .integer = true};
  set.x = integer_axis(1, longest, values.integer("points"), true);
  set.exact = static_cast<Index>(set.x.size()) == longest;
  set.curves = {{"critical_dimension", {}}, {"dimensions_within_length", {}}};
  const auto wavelengths = wavelengths_of(scaling);
  for (const double length : set.x) {
    if (work.stop.stop_requested()) return cancelled();
    const Index critical = critical_dimension(scaling.rotated(), scaling.rope_theta, static_cast<Index>(length));
    set.curves[0].y.push_back(static_cast<double>(critical));
    set.curves[1].y.push_back(static_cast<double>(dimensions_within(wavelengths, length)));
  }
  const Index within = dimensions_within(wavelengths, static_cast<double>(trained)) / 2;
  set.facts = {
      {"critical_dimension", static_cast<double>(critical_dimension(scaling.rotated(), scaling.rope_theta, trained))},
      {"pairs_beyond_trained_length", static_cast<double>(scaling.pairs() - within)}};
  set.levels = {{static_cast<double>(scaling.rotated()), "all rotated dimensions"}};
  if (trained <= longest) set.marks = {trained_mark(trained)};
  return set;
}

}  // namespace

Index critical_dimension(Index rotary_dim, double base, Index trained) {
  const double turns = static_cast<double>(trained) / (2 * std::numbers::pi);
  const double pairs = std::ceil(static_cast<double>(rotary_dim) / 2 * std::log(turns) / std::log(base));
  return 2 * static_cast<Index>(std::clamp(pairs, 0.0, static_cast<double>(rotary_dim / 2)));
}

Method critical_dimension_method() {
  return {.id = "critical_dimension",
          .title = "Critical dimension by length",
          .help = "Number of RoPE dimensions that complete a whole turn within the training length.",
          .citation = {"Liu et al. 2024, Scaling Laws of RoPE-based Extrapolation, section 3",
                       "none compared: the formula of the paper"},
          .parameters = critical_dimension_parameters(),
          .check = [](const ParameterValues& values) { return unscaled_rope_from(values).check(); },
          .recipe = CurveRecipe{.make = make_critical_dimension, .related = {"rope_wavelength", "rope_phase_ood"}}};
}

}  // namespace vqscope
