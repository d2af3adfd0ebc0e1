// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/numbers.h"
#include "core/io/bytes/byte_sink.h"

namespace vqscope {

/// RFC 4180 with LF line ends. A matrix: a header row with the cell `query\key` (`query\pair` if
/// columns are frequency pairs) and the column indices, then per row its index and its cells.
/// Curves: a header row of names, then one row per point. Numbers are the shortest texts that read
/// back as the same; booleans are 0 and 1; NaN and infinities are nan, inf, -inf.
Result<void> write_csv(const Numbers& numbers, ByteSink& sink, const Work& work);

/// An upper estimate.
double csv_bytes(const Numbers& numbers);

/// A text cell, quoted where RFC 4180 requires it and escaped so that no spreadsheet takes it for a
/// formula.
std::string csv_text(std::string_view text);

}  // namespace vqscope
