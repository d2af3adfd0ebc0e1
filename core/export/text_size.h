// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/numbers.h"

namespace vqscope {

/// Characters of the longest index of a range, and of the longest number that a cell can hold.
double index_chars(const Range& range);
double cell_chars(const Field& field);

/// Characters of a double: sign, 17 digits, point, exponent.
constexpr double double_chars = 24;

inline double rows_of(const FieldBlock& block) { return static_cast<double>(block.cells.rows.size()); }
inline double cols_of(const FieldBlock& block) { return static_cast<double>(block.cells.cols.size()); }

/// Number of columns: x and the series.
inline double columns_of(const CurveSet& curves) { return 1.0 + static_cast<double>(curves.curves.size()); }

}  // namespace vqscope
