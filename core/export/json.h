// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/numbers.h"
#include "core/io/bytes/byte_sink.h"

#include <string>

namespace vqscope {

/// {"method", "parameters", "shape", ..., "values"}; NaN and infinities are null. A matrix adds
/// "rows" and "cols", the ranges [begin, end) of its block. Curves add their facts and "columns",
/// the names of the columns of "values". For a set with a principal curve, "values" is that curve
/// alone, and x and the other curves are under their own names.
Result<void> write_json(const Numbers& numbers, ByteSink& sink, const Work& work);

/// An upper estimate.
double json_bytes(const Numbers& numbers);

/// A number, boolean, string, or array of them.
std::string json_value(const ParameterValue& value);

}  // namespace vqscope
