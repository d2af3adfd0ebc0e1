// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/solve/piecewise.h"

namespace vqscope::language {

/// factor * pieces + offset, a function of only the query or only the key.
struct Part {
  PiecesPtr pieces;  ///< none: 0
  Index factor = 1;
  Index offset = 0;
  Bounds bounds;

  bool is_constant() const { return !pieces; }
  bool is_line() const { return !pieces || pieces->size() == 1; }

  /// Whether every piece is constant.
  bool is_stepwise() const;

  /// First value and slope of a piece, without the offset; a single index has slope 0.
  Index first(const ArrayPiece& piece) const { return factor * piece.first; }
  Index slope(const ArrayPiece& piece) const { return piece.range.size() == 1 ? 0 : factor * piece.slope; }
};

/// f(query) + g(key).
struct Sum {
  Part f;
  Part g;

  bool is_constant() const { return f.is_constant() && g.is_constant(); }
};

/// A constant sum.
inline Part constant_part(Index value) { return {nullptr, 1, value, {value, value}}; }

// In place; false if the result exceeds what is_moderate allows; the part is then of no use.

bool scale(Part& part, Index factor);
bool scale(Sum& sum, Index factor);
bool shift(Part& part, Index by);

/// Adds a part that is not constant to another one; the cost is the number of pieces of both.
bool add_pieces(Part& sum, const Part& other);

}  // namespace vqscope::language
