// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/numbers.h"
#include "core/io/bytes/byte_sink.h"

namespace vqscope {

enum class NumberFormat { csv, npy, json };

/// Cells are read a block at a time: memory is bounded however large the matrix is.
Result<void> write_numbers(const Numbers& numbers, NumberFormat format, ByteSink& sink, const Work& work = {});

/// Size of the file: of NPY exactly, of CSV and JSON an upper estimate. A double, for T x T leaves 64 bits.
double estimated_bytes(const Numbers& numbers, NumberFormat format);

}  // namespace vqscope
