// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/rope/frequency_family.h"
#include "core/capture/rope/steps/base_position.h"
#include "core/capture/rope/steps/measured_turns.h"
#include "core/method/shared/number_type.h"

#include <optional>
#include <span>
#include <vector>

namespace vqscope {

/// A way to make the turns: frequencies by a formula or as measured, a base position, a cast.
struct Explanation {
  std::optional<FrequencyFamily> family;  ///< nothing: any frequencies
  std::vector<double> frequency;          ///< before a cast
  Index base = 0;
  const SteppedTurns* steps = nullptr;
  const NumberType* inv_freq_cast = nullptr;  ///< nothing: none
  const NumberType* table_cast = nullptr;     ///< of cos and sin
  std::optional<CastPositions> position_cast;
  bool ignores_cast = false;  ///< rows stand still as rounded positions do, and it does not say why
  double attention_factor = 1;
  double misfit = 0;  ///< mean square of what it leaves, in expected errors

  /// Simplest first: rule, casts, round numbers.
  int complexity() const;
};

/// What may be read as rotation of so many columns.
struct TurnedColumns {
  Index rotary_dim = 0;
  Index head_dim = 0;
  bool by_halves_of_head = false;  ///< head_split: exponents may be those of the whole head
};

/// Every explanation that leaves as little as the best, simplest first, from readings of the steps.
/// Empty: there is no reading.
std::vector<Explanation> explanations(const MeasuredTurns& turns, std::span<const SteppedTurns> readings,
                                      const TurnedColumns& columns);

}  // namespace vqscope
