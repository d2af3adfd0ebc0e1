// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/solve/piecewise.h"

namespace vqscope::language {

/// factor * pieces + offset, of the query alone or of the key alone.
struct Part {
  PiecesPtr pieces;  ///< none: 0
  Index factor = 1;
  Index offset = 0;
  Bounds bounds;

  bool is_constant() const { return !pieces; }
  bool is_line() const { return !pieces || pieces->size() == 1; }

  /// Whether every piece has one value.
  bool stands() const;

  /// Of a piece, without the offset; one index alone has no slope.
  Index first(const ArrayPiece& piece) const { return factor * piece.first; }
  Index slope(const ArrayPiece& piece) const { return piece.range.size() == 1 ? 0 : factor * piece.slope; }
};

/// f(query) + g(key).
struct Sum {
  Part f;
  Part g;

  bool is_constant() const { return f.is_constant() && g.is_constant(); }
};

/// The same everywhere.
inline Part constant_part(Index value) { return {nullptr, 1, value, {value, value}}; }

// In place; false, and the part of no use, when it leaves what is_moderate allows.

bool scale(Part& part, Index factor);
bool scale(Sum& sum, Index factor);
bool shift(Part& part, Index by);

/// Adds a part that is not constant to another one; the work is that of both their pieces together.
bool add_pieces(Part& sum, const Part& other);

}  // namespace vqscope::language
