// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/kernels/kernels.h"
#include "core/attention/workers.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <span>
#include <string>
#include <vector>

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

/// Score of a key that a query does not see; its weight is 0.
inline constexpr float hidden_score = -std::numeric_limits<float>::infinity();

/// Whether some of these keys are not valid; if `valid` is empty, all are valid.
inline bool any_hidden(std::span<const std::uint8_t> valid, Range keys) {
  return !valid.empty() && std::any_of(valid.begin() + keys.begin, valid.begin() + keys.end,
                                       [](std::uint8_t is_valid) { return is_valid == 0; });
}

/// Sets the score of those keys to -infinity that are in none of the ascending ranges `visible`.
inline void hide_others(const std::vector<Range>& visible, Range keys, float* scores) {
  Index from = keys.begin;
  const auto hide_to = [&](Index end) {
    if (end > from) std::fill(scores + (from - keys.begin), scores + (end - keys.begin), hidden_score);
  };
  for (const Range& some : visible) {
    hide_to(std::min(some.begin, keys.end));
    from = std::max(from, some.end);
    if (from >= keys.end) return;
  }
  hide_to(keys.end);
}

/// Rows of a tensor of keys or values, with 0 in place of keys that are not valid, because a weight
/// of 0 does not hide a NaN. Copies the rows to `room` if some keys are not valid.
inline StridedMatrix visible_rows(const TensorView& tensor, Index head, Range keys, std::span<const std::uint8_t> valid,
                                  Scratch& scratch) {
  if (!any_hidden(valid, keys)) return tensor.matrix(head, keys);
  float* copy = scratch.floats(keys.size() * tensor.cols);
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
