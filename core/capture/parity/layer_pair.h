// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/store/layer_tensor.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vqscope {

/// Numbers of a part of a tensor, [B, heads, rows, columns].
struct TensorBlock {
  std::array<Index, 4> extent{};
  std::vector<float> values;

  TensorBlock() = default;
  explicit TensorBlock(std::array<Index, 4> sizes)
      : extent(sizes), values(static_cast<std::size_t>(sizes[0] * sizes[1] * sizes[2] * sizes[3])) {}
  std::size_t at(Index b, Index h, Index t) const {
    return static_cast<std::size_t>(((b * extent[1] + h) * extent[2] + t) * extent[3]);
  }
  std::span<float> row(Index b, Index h, Index t) {
    return std::span(values).subspan(at(b, h, t), static_cast<std::size_t>(extent[3]));
  }
  std::span<const float> row(Index b, Index h, Index t) const {
    return std::span(values).subspan(at(b, h, t), static_cast<std::size_t>(extent[3]));
  }
};

/// The same tensor of two captures. Where one has more rows, the last ones are compared; where one
/// has a sink's column more, the others are.
struct TensorPair {
  TensorRole role = TensorRole::q;
  LayerTensor a, b;
  std::array<Index, 4> extent{};  ///< of what is compared
  std::array<Index, 4> begin_a{}, begin_b{};
  double unit = 0;  ///< of the coarser type
  bool same_shape = true;
  std::vector<std::string> remarks;  ///< how axes were read

  /// A block of what is compared; masks are 1 where a key is visible and 0 where it is not, scores of
  /// keys that are not visible are -infinity.
  Result<void> read_a(std::array<Range, 4> block, std::span<float> out) const;
  Result<void> read_b(std::array<Range, 4> block, std::span<float> out) const;
};

/// The tensors that both captures have of a layer, in the order in which they are made. Remarks on
/// what is read in another way than it is stored go to `read_a` and `read_b`.
Result<std::vector<TensorPair>> paired_tensors(const Capture& a, const Capture& b, Index layer,
                                               std::vector<std::string>& read_a, std::vector<std::string>& read_b);

}  // namespace vqscope
