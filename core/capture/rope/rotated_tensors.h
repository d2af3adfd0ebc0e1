// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/capture/rope/steps/measured_turns.h"
#include "core/encoding/rope/rope_fields.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vqscope {

/// Rows of vectors before and after a rotation, as [rows, heads, dims] in C order.
struct RotatedVectors {
  std::string name;  ///< "q": what was rotated
  Index rows = 0;
  Index heads = 0;
  Index dims = 0;
  std::vector<float> before;
  std::vector<float> after;
  double unit = 0;  ///< largest relative error of a number in the type that `after` is stored in
};

/// A way to pair the columns that explains what the rotation did.
struct PairedColumns {
  PairLayout layout = PairLayout::half_split;
  Index rotary_dim = 0;
  double residual = 0;  ///< share of the squares that no rotation of these pairs explains
};

/// The pairings that leave no more than rounding, simplest first: half_split, interleaved, then
/// head_split, with as few columns as turned. Empty: none does.
std::vector<PairedColumns> pairings_of(std::span<const RotatedVectors> vectors);

/// The factor of each row and pair, by least squares over all heads.
MeasuredTurns turns_of(std::span<const RotatedVectors> vectors, const PairedColumns& pairing);

/// Tables of cos and sin, [T, r] or [T, r / 2], as turns. A table of all r columns says which two
/// are a pair.
struct RotationTables {
  MeasuredTurns turns;
  std::optional<PairLayout> layout;
  Index rotary_dim = 0;
};
Result<RotationTables> tables_of(std::span<const float> cos, std::span<const float> sin, Index rows, Index cols,
                                 double unit);

}  // namespace vqscope
