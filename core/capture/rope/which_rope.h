// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/capture/rope/rotated_tensors.h"

#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// A number type that something was rounded to on the way.
struct RopeCast {
  std::string what;   ///< "inv_freq", "cos_sin" or "positions"
  std::string dtype;  ///< "bf16", "f16"
};

/// The rotation that tensors show. What they do not fix is empty and named in `undetermined`.
struct WhichRope {
  std::optional<PairLayout> pair_layout;
  std::optional<Index> rotary_dim;
  std::optional<Index> head_dim;
  std::optional<std::string> rope_type;  ///< as in a config; "unknown": no formula has these frequencies
  std::optional<double> rope_theta;
  std::optional<double> factor;
  std::optional<double> original_max_position_embeddings;
  double attention_factor = 1;                ///< of cos and sin
  std::vector<std::vector<Index>> positions;  ///< one list, or three under M-RoPE: time, height, width
  std::vector<int> axis;                      ///< of each pair: its list of positions, where there are three
  std::vector<double> inv_freq;               ///< radians a position, before a cast
  std::optional<RopeCast> cast;
  double residual = 0;  ///< root mean square of what the answer leaves of the factors
  std::vector<std::string> undetermined;

  /// Whether the positions are first, first + 1, …
  bool counts_on() const;
};

/// Most that a rotation is told from.
inline constexpr Index most_rope_rows = Index{1} << 20, most_rope_columns = 8192;

/// From vectors before and after: q, k or both, of the same rows and dims.
Result<WhichRope> which_rope(std::span<const RotatedVectors> vectors);
/// Share of their squares that no rotation of pairs of columns explains; infinity where there is none.
double share_left(std::span<const RotatedVectors> vectors);
/// Refuses more than a rotation is told from.
Result<void> check_rope_extent(Index rows, Index columns);
/// `which_rope` where the order of the axes is open: by the reading that a rotation explains best, of one
/// or more of 2 rows or more.
Result<WhichRope> which_rope_of_readings(std::span<const std::vector<RotatedVectors>> readings);
/// From tables of cos and sin.
Result<WhichRope> which_rope(const RotationTables& tables);

}  // namespace vqscope
