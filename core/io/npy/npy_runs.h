// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/npy/npy_reader.h"

#include <cstdint>
#include <span>
#include <vector>

namespace vqscope {

/// Equal numbers that follow each other in a row, up to column `end`.
struct ValueRun {
  double value = 0;
  std::uint32_t end = 0;
  friend bool operator==(const ValueRun&, const ValueRun&) = default;
};

/// Rows as runs; a row has at most 2^32 - 1 columns.
struct RunRows {
  std::vector<ValueRun> runs;
  std::vector<std::size_t> ends;  ///< for each row, the number of runs up to its end

  std::span<const ValueRun> row(std::size_t row) const {
    const std::size_t begin = row == 0 ? 0 : ends[row - 1];
    return std::span(runs).subspan(begin, ends[row] - begin);
  }
  void clear() {
    runs.clear();
    ends.clear();
  }
};

/// Appends a row. Numbers that are equal but written differently, as 0 and -0, are two runs.
void append_runs(std::span<const double> values, RunRows& rows);

/// Appends some rows of a plane. Bytes are compared before they are converted: a mask of few long
/// runs is read as fast as its bytes are. `bytes` is a buffer.
Result<void> read_npy_runs(const ByteSource& source, const NpyHeader& header, const NpyPlane& plane, Range rows,
                           std::vector<char>& bytes, RunRows& out);

}  // namespace vqscope
