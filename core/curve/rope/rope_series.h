// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding/phase/turns.h"
#include "core/encoding/rope/rope_scaling.h"
#include "core/method/curve_set.h"
#include "core/method/parameter.h"

#include <Eigen/Core>
#include <array>
#include <span>
#include <string>
#include <vector>

namespace vqscope {

/// How every formula of a curve of RoPE ends.
inline const std::string rope_geometry = "geometry of the encoding, not performance of a model";

/// rope_curve_parameters, and `compare`: scalings that are drawn beside rope_type.
std::vector<ParameterSpec> rope_series_parameters(std::vector<std::string> compare);

/// q_length and what decides the frequencies of RoPE that nothing scales.
std::vector<ParameterSpec> unscaled_rope_parameters(Index default_q_length);
RopeScaling unscaled_rope_from(const ParameterValues& values);

/// rope_type first, then those of `compare` that differ from it, in the table's order.
std::vector<RopeScaling> rope_series(const ParameterValues& values);

/// Refuses what any of them refuses.
Result<void> check_rope_series(const ParameterValues& values);

/// A fact of each series: the first has the plain name, the others add their type's.
void add_series_fact(CurveSet& set, const std::string& name, const std::string& rope_type, double value);

/// A set without curves over the relative distances below q_length.
CurveSet over_distances(const ParameterValues& values, const std::string& y_title, const std::string& formula);

CurveMark trained_mark(Index trained);

/// Factor of a score if cos and sin carry an attention factor: its square.
double score_factor(const RopeFrequencies& frequencies);

/// Unit vectors at r · rate of every pair.
struct UnitVectors {
  Eigen::ArrayXd cos;
  Eigen::ArrayXd sin;

  UnitVectors(std::span<const Turns> rates, Index r);
};

/// Goes from distance to distance by products with the unit vectors of the step. Evenly spaced
/// whole numbers have two steps, one apart; the vectors of the last two are kept. Restarted before
/// the roundings reach 1e-14 a pair.
class RopeWalk {
 public:
  /// `rates` must outlive it.
  explicit RopeWalk(std::span<const Turns> rates);

  /// Those at distance r, until the next call.
  const UnitVectors& at(Index r);

 private:
  struct Step {
    Index size;
    UnitVectors by;
  };
  const UnitVectors& vectors_of(Index size);
  void turn_by(const UnitVectors& by);

  std::span<const Turns> m_rates;
  Index m_at = 0;
  Index m_walked = 0;
  UnitVectors m_now;
  Eigen::ArrayXd m_next;
  std::array<Step, 2> m_kept;
};

}  // namespace vqscope
