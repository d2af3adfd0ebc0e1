// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/capture/rope/steps/measured_turns.h"

#include <span>
#include <vector>

namespace vqscope {

/// Phases of turns with their variances, an added error in each.
class PhaseTable {
 public:
  PhaseTable(const MeasuredTurns& turns, double modulus, double added_error);

  double phase(Index row, Index pair) const { return m_phase[at(row, pair)]; }
  double variance(Index row, Index pair) const { return m_variance[at(row, pair)]; }
  /// The middle one.
  double typical_variance() const;

  Index rows = 0;
  Index pairs = 0;

 private:
  std::size_t at(Index row, Index pair) const { return static_cast<std::size_t>(row * pairs + pair); }
  std::vector<double> m_phase;
  std::vector<double> m_variance;
};

/// 0, 1, 2, …
std::vector<Index> range_of_pairs(Index pairs);

/// Whole steps of each row from `reference`, and the mean square of what they leave, in standard
/// deviations.
struct RowSteps {
  std::vector<Index> step;
  std::vector<double> misfit;
};

/// By the given pairs alone. A row is first tried one step after the row before it. Rows that are not
/// looked at leave infinity.
RowSteps steps_of_rows(const PhaseTable& phases, std::span<const Index> pairs, std::span<const double> frequency,
                       Index reference, Range looked_at);

/// The axis of each pair under M-RoPE: time, height or width.
struct Sections {
  std::vector<int> axis;
  double misfit = 0;
};

/// The sections, in runs (Qwen2-VL) or interleaved (Qwen3-VL), under which each row is a whole
/// number of steps from the reference on every axis.
Sections best_sections(const PhaseTable& phases, std::span<const double> frequency, Index reference);

}  // namespace vqscope
