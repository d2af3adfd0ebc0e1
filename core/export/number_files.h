// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/numbers.h"
#include "core/io/bytes/byte_sink.h"
#include "core/method/run_result.h"

namespace vqscope {

enum class NumberFormat { csv, npy, json };

/// Reads cells one block at a time, so memory is bounded however large the matrix is.
Result<void> write_numbers(const Numbers& numbers, NumberFormat format, ByteSink& sink, const Work& work = {});

/// Size of the file: exact for NPY, an upper estimate for CSV and JSON. A double, because the size
/// for T x T may not fit 64 bits.
double estimated_bytes(const Numbers& numbers, NumberFormat format);

/// Writes one output of a run in its format.
Result<void> write_run_content(const RunContent& content, ByteSink& sink, const std::stop_token& stop);

}  // namespace vqscope
