// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/method/shared/number_type.h"

#include <optional>
#include <span>
#include <vector>

namespace vqscope {

/// Whether so many of the rows, whose steps these are, stand still as where positions beyond the whole numbers of a
/// type were rounded to it: bfloat16 has all up to 256, float16 up to 2,048.
bool stands_often(std::span<const Index> steps);

/// Distances of neighbouring numbers of these types where positions are looked for.
std::vector<Index> spacings_of_positions();

/// The frequencies of turns whose common step is `spacing` positions. Such a step may turn fast pairs
/// by more than once round: the slowest pairs tell, and how the frequencies go on, the wraps of the next.
std::vector<double> frequencies_of_step(std::span<const double> turn_of_step, Index spacing);

/// first, first + 1, … as rounded to a type.
struct CastPositions {
  const NumberType* type = nullptr;
  Index first = 0;
};

/// What the positions were before a cast; nothing where no cast makes them from a range.
std::optional<CastPositions> before_cast(std::span<const Index> steps, Index base);

}  // namespace vqscope
