// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding/phase/turns.h"

#include <Eigen/Core>

#include <array>
#include <span>

namespace vqscope {

/// Unit vectors at r · rate of every pair.
struct UnitVectors {
  Eigen::ArrayXd cos;
  Eigen::ArrayXd sin;

  UnitVectors(std::span<const Turns> rates, Index r);
};

/// Goes from distance to distance by products with the unit vectors of the step. Evenly spaced whole numbers have two
/// steps, one apart; the vectors of the last two are kept. Restarted before the roundings reach 1e-14 a pair.
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
