// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/rope/curve_values.h"

#include "core/base/text.h"
#include "core/curve/methods.h"
#include "core/curve/rope/rope_series.h"
#include "core/method/shared/common_parameters.h"

#include <cmath>

namespace vqscope {
namespace {

constexpr double lowest_base = 10;
constexpr double highest_base = 1e9;

RopeScaling unscaled(const ParameterValues& values) {
  return {.head_dim = values.integer("head_dim"),
          .rotary_dim = values.integer("rotary_dim"),
          .rope_theta = values.real("rope_theta")};
}

std::vector<ParameterSpec> interpolation_bound_parameters() {
  std::vector<ParameterSpec> specs;
  for (auto& spec : rope_scaling_parameters())
    if (spec.name == "rope_theta" || spec.name == "head_dim" || spec.name == "rotary_dim")
      specs.push_back(std::move(spec));
  add_parameter(specs, "max_h", "RoPE", "Largest |h|, the product of one pair of q and k, before division by √d.",
                {.default_value = 1.0, .minimum = 1e-6, .maximum = 1e6, .logarithmic = true});
  specs.push_back(points_parameter("Curve", 512, 4096));
  return specs;
}

/// `points` bases, log-spaced, ends included.
std::vector<double> bases(Index points) {
  std::vector<double> all;
  const double decades = std::log10(highest_base / lowest_base);
  for (Index i = 0; i < points; ++i)
    all.push_back(lowest_base * std::pow(10, decades * static_cast<double>(i) / static_cast<double>(points - 1)));
  return all;
}

Result<CurveSet> make_interpolation_bound(const ParameterValues& values, const Work& work) {
  if (work.stop.stop_requested()) return cancelled();
  const RopeScaling scaling = unscaled(values);
  const double max_h = values.real("max_h");
  CurveSet set{
      .x_name = "rope_theta",
      .x_title = "rope_theta b (base)",
      .y_title = "bound on the deviation",
      .formula =
          "d · max|h| / (32 ln b): by at most so much a score at a position between two trained ones "
          "differs from the line between theirs, the sum over pairs taken as an integral. extrapolation_bound: 2 d · "
          "max|h|, the bound on a score itself at any distance, with the sum of |Σ e^(is·inv_freq)| over pairs "
          "at its least value, about d; " +
          rope_geometry,
      .real_x = true,
      .log_x = true,
      .log_y = true,
      .principal = 0};
  set.x = bases(values.integer("points"));
  set.exact = false;
  const double extrapolated = extrapolation_bound(scaling.rotated(), max_h);
  const double interpolated = interpolation_bound(scaling.rotated(), scaling.rope_theta, max_h);
  set.curves = {{"interpolation_bound", {}}, {"extrapolation_bound", std::vector<double>(set.x.size(), extrapolated)}};
  for (const double base : set.x) set.curves[0].y.push_back(interpolation_bound(scaling.rotated(), base, max_h));
  set.facts = {{"bound", interpolated},
               {"divisor", 32 * std::log(scaling.rope_theta)},
               {"extrapolation_bound", extrapolated},
               {"ratio", extrapolated / interpolated}};
  if (scaling.rope_theta >= lowest_base && scaling.rope_theta <= highest_base)
    set.marks = {{scaling.rope_theta, "rope_theta " + to_text(scaling.rope_theta, 6)}};
  return set;
}

}  // namespace

double interpolation_bound(Index rotary_dim, double base, double max_h) {
  return static_cast<double>(rotary_dim) * max_h / (32 * std::log(base));
}

double extrapolation_bound(Index rotary_dim, double max_h) { return 2 * static_cast<double>(rotary_dim) * max_h; }

Method interpolation_bound_method() {
  return {
      .id = "interpolation_bound",
      .title = "Position-interpolation bound by base",
      .help = "Upper bound on how far a score at an interpolated position can be from linear interpolation.",
      .citation = {"Chen et al. 2023, Position Interpolation, theorem 2.1", "none compared: the formula of the paper"},
      .parameters = interpolation_bound_parameters(),
      .check = [](const ParameterValues& values) { return unscaled(values).check(); },
      .remark =
          [](const ParameterValues& values, const Work&) {
            return "The extrapolation bound is " + to_text(64 * std::log(values.real("rope_theta")), 4) +
                   " times the interpolation bound at this base, whatever d and max_h.";
          },
      .recipe = CurveRecipe{.make = make_interpolation_bound, .related = {"base_bound"}}};
}

}  // namespace vqscope
