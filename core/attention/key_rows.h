// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/tensor_view.h"
#include "core/attention/workers.h"

#include <algorithm>

namespace vqscope {

/// Whether some of these keys are not valid; `valid` empty: all are.
inline bool any_hidden(std::span<const std::uint8_t> valid, Range keys) {
  return !valid.empty() && std::any_of(valid.begin() + keys.begin, valid.begin() + keys.end,
                                       [](std::uint8_t is_valid) { return is_valid == 0; });
}

/// Rows of a tensor of keys or values with 0 in place of those that are not valid: a weight of 0 does not hide a NaN.
/// They are copied to `room` where some are not.
inline MatrixView visible_rows(const TensorView& tensor, Index head, Range keys, std::span<const std::uint8_t> valid,
                               Room& room) {
  if (!any_hidden(valid, keys)) return tensor.matrix(head, keys);
  float* copy = room.floats(keys.size() * tensor.cols);
  for (Index j = 0; j < keys.size(); ++j) {
    const bool is_valid = valid[static_cast<std::size_t>(keys.begin + j)] != 0;
    const float* row = tensor.row(head, keys.begin + j);
    if (is_valid)
      std::copy_n(row, tensor.cols, copy + j * tensor.cols);
    else
      std::fill_n(copy + j * tensor.cols, tensor.cols, 0.0F);
  }
  return {copy, keys.size(), tensor.cols, tensor.cols};
}

}  // namespace vqscope
