// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/numbers.h"
#include "core/io/bytes/byte_sink.h"

namespace vqscope {

/// NumPy's format 1.0, C order. A matrix [rows, cols] is '|b1', '<i4' or '<f4' like its cells.
/// Curves are '<f8' [points, 1 + series], with the columns of the CSV; a set with a principal curve
/// is that curve alone, [points].
Result<void> write_npy(const Numbers& numbers, ByteSink& sink, const Work& work);

/// Exact up to the precision of a double.
double npy_bytes(const Numbers& numbers);

}  // namespace vqscope
