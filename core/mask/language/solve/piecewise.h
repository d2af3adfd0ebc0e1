// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/bind/bound_program.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace vqscope::language {

/// A function of only the query or only the key, in linear pieces of any slope, from index 0 on.
using Pieces = std::vector<ArrayPiece>;
using PiecesPtr = std::shared_ptr<const Pieces>;

/// Maximum number of pieces of a function; a function with more is not split.
inline constexpr std::size_t max_pieces = std::size_t{1} << 19;

/// Maximum for all functions of a program together: 64 MiB.
inline constexpr std::size_t max_pieces_in_all = 4 * max_pieces;

/// Whether sums and differences of such values and of their slopes stay within 64 bits.
inline bool is_moderate(Bounds bounds) {
  constexpr Index limit = Index{1} << 60;
  return bounds.low > -limit && bounds.high < limit;
}

/// Index of the piece that holds x; fastest if it is `near` or the piece after it.
std::size_t piece_at(const Pieces& pieces, Index x, std::size_t near = 0);

/// The t of [0, count) for which first + slope * t <= limit: a range from one end.
Range where_at_most(Index first, Index slope, Index count, Index limit);

/// The t for which first + slope * t == value: all, one or none.
Range where_equal(Index first, Index slope, Index count, Index value);

/// The pieces of an operation on functions of the same variable; empty if there are too many.
std::optional<Pieces> apply(const BoundProgram& program, const BoundNode& node, const Pieces* a, const Pieces* b,
                            const Pieces* c);

/// factor_a * a + factor_b * b.
std::optional<Pieces> weighted_sum(const Pieces& a, Index factor_a, const Pieces& b, Index factor_b);

/// The pieces, or none, of each node of a program that depends only on the query or only on the
/// key; for only some nodes after a stop.
std::vector<PiecesPtr> all_pieces(const BoundProgram& program, const std::stop_token& stop = {});

}  // namespace vqscope::language
