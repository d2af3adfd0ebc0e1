// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/numbers.h"
#include "core/io/bytes/byte_sink.h"

namespace vqscope {

/// RFC 4180 with LF line ends. A matrix: a header row of column indices after the cell `query\key` (`query\pair` where
/// columns are frequency pairs), then a row of
/// cells after each row index. Curves: a header row of names, then a row a point. Numbers are the shortest text that
/// reads back the same; booleans 0 and 1; NaN and infinities nan, inf, -inf.
Result<void> write_csv(const Numbers& numbers, ByteSink& sink, const Work& work);

/// An upper estimate.
double csv_bytes(const Numbers& numbers);

/// A text cell: quoted where RFC 4180 asks for it, and never taken for a formula by a spreadsheet.
std::string csv_text(std::string_view text);

}  // namespace vqscope
