// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/session/session.h"
#include "widgets/plot/matrix_cursor.h"

#include <QSize>

#include <optional>

namespace vqscope {

/// The range within the matrix, as large as it was if the matrix is as large.
ViewRange fitted(ViewRange range, Extent extent);

/// The range made `factor` times as large: around the cell if it is in view, so that it stays in place, else around the
/// centre.
ViewRange scaled(ViewRange range, double factor, const std::optional<Cell>& around);

/// The range moved as little as shows the cell: not at all, or with the cell in its middle.
ViewRange revealing(ViewRange range, Cell cell);

/// A range with the cell in its middle, in which cells are `pixels` wide and high on a map of this size, if the matrix
/// is that large.
ViewRange rangeAround(Cell cell, double pixels, Extent extent, QSize map);

}  // namespace vqscope
