// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"

namespace vqscope {

/// Kind of a mean: of numbers, or the direction of the mean unit vector of angles in radians.
enum class MeanKind { arithmetic, direction_unsigned /* in [0, 2π) */, direction_signed /* in (-π, π] */ };

/// Summarises by looking at cells: at all of them up to options.max_cells or where each is a tile
/// of its own, else at some of each tile, and then `out.exact` is false, or options.exact_only an
/// error. The cells looked at are spread unevenly on purpose: an even grid over a periodic function
/// would show a slower wave that is not there.
Result<void> summarize_cells(const Field& field, MeanKind kind, const TileGrid& grid, const SummaryOptions& options,
                             Summary& out);

/// The options with which summarize_cells samples cells of which not all may be visited: at most
/// some seconds of them.
SummaryOptions for_sampling(SummaryOptions options, const Rect& cells);

/// The error of options.exact_only instead of a sample of `cells`.
Error too_large_to_visit(const Rect& cells);

}  // namespace vqscope
