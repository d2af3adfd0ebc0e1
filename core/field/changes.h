// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"
#include "core/field/tile_grid.h"

#include <optional>
#include <stop_token>

namespace vqscope {

class Field;

/// Where the values of a field change, found by exact summaries of ever smaller tiles, so that no
/// cell is stored or missed. Values are compared in float32, and NaN (as in the difference of two
/// infinities) is no change. Errors are Errc::cancelled and, where a field has to visit too many
/// cells, Errc::too_large.
struct ChangeCell {
  Index row = 0;
  Index col = 0;
  friend bool operator==(const ChangeCell&, const ChangeCell&) = default;
};

/// The first cell, row by row, whose value is not 0; nothing: all are.
Result<std::optional<ChangeCell>> first_nonzero(const Field& field, const std::stop_token& stop);

/// The smallest rectangle that holds every cell whose value is not 0; nothing: all are 0.
Result<std::optional<Rect>> nonzero_bounds(const Field& field, const std::stop_token& stop);

/// The cell nearest to `from`, in its row, or in its column if the row is constant, with another
/// value than `from`; of two as near, the one after it. Nothing: row and column are constant.
Result<std::optional<ChangeCell>> nearest_change(const Field& field, ChangeCell from, const std::stop_token& stop);

}  // namespace vqscope
