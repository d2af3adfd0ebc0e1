// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace vqscope {

/// Kind of a function on a piece.
enum class PieceKind {
  none,      ///< it has no value there: NaN
  constant,  ///< one value
  smooth,    ///< monotone, of real numbers too, and analytic but for a point no nearer than relative position 0
  rough,     ///< anything
};

/// A function of relative_position from `begin` up to the next piece.
struct RelativePiece {
  Index begin = 0;
  PieceKind kind = PieceKind::constant;
  /// The definition. Of a smooth piece at real numbers; else at whole ones.
  std::function<double(double relative_position)> at;
  /// For a rough piece: the values of relative positions first, first + 1, ..., near enough to
  /// at()'s for every use.
  std::function<void(Index first, std::span<double> out)> fill;
  /// For a rough piece: no value is below or above.
  std::pair<double, double> bounds;
  /// For a rough piece: how long at() takes, in cosines.
  double cost = 1;
};

RelativePiece no_values_from(Index begin);
RelativePiece constant_from(Index begin, double value);
RelativePiece smooth_from(Index begin, std::function<double(double)> at);

/// A real function of relative_position = kv_pos - q_pos. The first piece begins before every
/// relative position.
struct RelativeFunction {
  std::vector<RelativePiece> pieces;
  /// f(-d) = f(d), and |d| is what pieces begin at: the first piece stands for 0 too.
  bool even = false;

  const RelativePiece& piece_of(Index relative_position) const;
  /// `argument` is |d| if the function is even.
  const RelativePiece& piece_at(Index argument) const;
  double at(Index relative_position) const;
  /// at() of consecutive relative positions, fast where the function is rough.
  void fill(Index first, std::span<double> out) const;
  /// Smallest and largest value on [first, last] that is one; of a rough piece its bounds. None:
  /// NaN.
  std::pair<double, double> bounds(Index first, Index last) const;
  bool has(PieceKind kind) const;
  /// The greatest of a piece.
  double cost() const;
};

/// a - b. What is not constant in both is rough.
RelativeFunction difference(const RelativeFunction& a, const RelativeFunction& b);

}  // namespace vqscope
