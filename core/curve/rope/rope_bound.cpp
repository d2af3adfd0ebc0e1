// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/rope/curve_values.h"

#include "core/curve/methods.h"
#include "core/curve/rope/rope_series.h"
#include "core/method/shared/common_parameters.h"
#include "core/method/shared/published.h"

#include <cassert>
#include <cmath>
#include <complex>

namespace vqscope {
namespace {

constexpr Index most_points = 4096;

std::vector<ParameterSpec> rope_bound_parameters() {
  auto specs = rope_series_parameters({"linear", "ntk", "dynamic"});
  specs.push_back(x_unit_parameter());
  specs.push_back(points_parameter("Curve", most_points, 65536));
  return specs;
}

Result<CurveSet> make_rope_bound(const ParameterValues& values, const Work& work) {
  const auto scalings = rope_series(values);
  const Index q_length = values.integer("q_length");
  CurveSet set =
      over_distances(values, "bound on the score, U(r)",
                     "U(r) = 2/d · sum over j = 1..d/2 of |sum over pairs i below j of exp(i r · "
                     "inv_freq)|, times the attention factor squared; an upper bound, and no score need come near it");
  for (const auto& scaling : scalings) {
    const auto frequencies = rope_frequencies(scaling);
    set.curves.push_back({scaling.rope_type, rope_bounds(turns_of(frequencies.inv_freq), set.x, work.stop)});
    if (work.stop.stop_requested()) return cancelled();
    auto& y = set.curves.back().y;
    for (double& u : y) u *= score_factor(frequencies);
    add_series_fact(set, "bound_at_0", scaling.rope_type, y.front());
    work.report(static_cast<double>(set.curves.size()) / static_cast<double>(scalings.size()));
  }
  const Index trained = scalings.front().original_max_position_embeddings;
  if (trained < q_length) set.marks = {trained_mark(trained)};
  apply_x_unit(values, trained, set);
  return set;
}

}  // namespace

double rope_bound(std::span<const Turns> rates, Index distance) {
  assert(!rates.empty());
  std::complex<double> partial = 0;
  double lengths = 0;
  for (const Turns rate : rates) {
    partial += std::polar(1.0, signed_radians(static_cast<Turns>(distance) * rate));
    lengths += std::abs(partial);
  }
  return lengths / static_cast<double>(rates.size());
}

std::vector<double> rope_bounds(std::span<const Turns> rates, std::span<const double> distances,
                                const std::stop_token& stop) {
  std::vector<double> bounds;
  RopeWalk walk(rates);
  const auto pairs = static_cast<Eigen::Index>(rates.size());
  Eigen::ArrayXd squares(pairs);
  for (const double r : distances) {
    if (stop.stop_requested()) break;
    const UnitVectors& unit = walk.at(static_cast<Index>(r));
    double x = 0;
    double y = 0;
    for (Eigen::Index i = 0; i < pairs; ++i) {
      x += unit.cos[i];
      y += unit.sin[i];
      squares[i] = x * x + y * y;
    }
    bounds.push_back(squares.sqrt().mean());
  }
  return bounds;
}

Method rope_bound_method() {
  return {
      .id = "rope_bound",
      .title = "Bound on the score by distance",
      .help = "RoFormer's upper bound on the score at distance r, the usual argument that RoPE decays with distance.",
      .citation = {"Su et al. 2021, RoFormer, section 3.4.3", "none compared: the formula of the paper"},
      .parameters = rope_bound_parameters(),
      .check = check_rope_series,
      .recipe = CurveRecipe{.make = make_rope_bound, .related = {"rope_score"}}};
}

}  // namespace vqscope
