// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/npy/npy_header.h"

#include <span>
#include <vector>

namespace vqscope {

/// A matrix inside an array, given by its strides in elements: element (row, col) is number first +
/// row * row_stride + col * col_stride of the data.
struct NpyPlane {
  std::uint64_t first = 0;
  Index rows = 0;
  Index cols = 0;
  std::uint64_t row_stride = 0;
  std::uint64_t col_stride = 0;
};

/// The last two dimensions at `leading`, which holds one valid index for each dimension before
/// them. A one-dimensional array is one row; a scalar is one element.
NpyPlane npy_plane(const NpyHeader& header, std::span<const Index> leading = {});

/// Some rows of a plane, row-major, converted. T is Index, float or double; `out` holds as many
/// elements as rows.size() times plane.cols. For Index, only whole-number dtypes and bool (as 0 and
/// 1) are read, and values that do not fit int64 are refused.
template <class T>
Result<void> read_npy_rows(const ByteSource& source, const NpyHeader& header, const NpyPlane& plane, Range rows,
                           std::span<T> out);

/// Every element in C order, whatever the order of the file; more than `limit` elements are
/// refused.
template <class T>
Result<std::vector<T>> read_npy(const ByteSource& source, const NpyHeader& header, std::uint64_t limit);

}  // namespace vqscope
