// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding/own/own_vectors.h"
#include "core/encoding/own/rotation.h"

#include <stop_token>

namespace vqscope {

/// Positions at which the rows of queries and keys are rotated.
struct RotaryPositions {
  std::vector<Index> q, k;
};

/// Own vectors, the scaling of their rotation, and where they stand.
struct RotarySetting {
  OwnVectors vectors;
  RopeScaling scaling;  ///< of even size
  PairLayout layout = PairLayout::half_split;
  RotaryPositions positions;        ///< as stated
  RotaryPositions wrong_positions;  ///< as position_error looks them up
  double score_scale = 1;
  bool shows_error = false;  ///< scores at wrong positions minus scores at the stated ones
};

/// Lengths, own_vector_parameters(), the scaling, `pair_layout`, `q_position_ids`, `k_position_ids`, `position_error`,
/// `shown` and `divide_by_sqrt`.
std::vector<ParameterSpec> rotary_setting_parameters();
Result<void> check_rotary_setting(const ParameterValues& values);
Result<RotarySetting> rotary_setting(const ParameterValues& values, const std::stop_token& stop = {});

/// Rotated vectors, row by row.
struct RotatedPair {
  Index size = 0;
  std::vector<double> q, k;

  double score(Index row, Index col) const;
};

/// Stopped: not all are rotated.
RotatedPair rotate(const RotarySetting& setting, const RotaryPositions& positions, const std::stop_token& stop);

/// Largest change of a score when `shift` is added to all positions, over at most 32 x 32 cells: rounding errors, as
/// (R_m q)·(R_n k) = q·R_(n-m) k.
double shift_error(const RotarySetting& setting, Index shift);

/// Largest difference between two scores at the same distance, over at most 32 x 32 cells.
double spread_by_distance(const RotarySetting& setting);

}  // namespace vqscope
