// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/kernels/kernels.h"

#include <cassert>
#include <span>
#include <string>

namespace vqscope {

/// A view of float32 data [heads, rows, cols], row-major; a matrix has one head.
struct TensorView {
  std::span<const float> values;
  Index heads = 1;
  Index rows = 0;
  Index cols = 0;

  bool empty() const { return values.empty(); }

  const float* row(Index head, Index i) const {
    assert(0 <= head && head < heads && 0 <= i && i <= rows);
    return values.data() + (head * rows + i) * cols;
  }

  StridedMatrix matrix(Index head, Range some) const { return {row(head, some.begin), some.size(), cols, cols}; }
  StridedMatrix matrix(Index head) const { return matrix(head, {0, rows}); }
};

/// "[2, 96, 16]"; without the heads if there is only one: "[96, 16]".
std::string shape_text(const TensorView& tensor);

}  // namespace vqscope
