// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/store/capture.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vqscope {

/// Sizes of a layer as far as they are known.
struct CaptureSizes {
  std::optional<Index> batch;
  std::optional<Index> heads;
  std::optional<Index> key_heads;
  std::optional<Index> head_dim;
  std::optional<Index> queries;  ///< Tq
  std::optional<Index> keys;     ///< Tk

  /// With what `other` knows beside.
  CaptureSizes filled(const CaptureSizes& other) const;
};

/// What the inputs, the config and the tensors of the layer tell without doubt.
CaptureSizes sizes_of(const Capture& capture, Index layer);

/// A way to read a tensor as [B, heads, rows, columns]; hidden rows have one head.
struct TensorReading {
  std::array<Index, 4> extent{};
  std::array<Index, 4> stride{};  ///< in elements
  std::string order;              ///< "[B, T, H, d]": as it is stored

  Index count() const { return extent[0] * extent[1] * extent[2] * extent[3]; }
  friend bool operator==(const TensorReading& a, const TensorReading& b) {
    return a.extent == b.extent && a.stride == b.stride;
  }
};

/// Those that agree with the sizes, likeliest first; none agreeing: all that the shape allows.
std::vector<TensorReading> readings_of(const CapturedTensor& tensor, TensorRole role, const CaptureSizes& sizes,
                                       std::span<const std::uint64_t> strides);

/// A tensor with the way its axes are read.
struct LayerTensor {
  StoredNumbers numbers;
  TensorReading reading;

  /// A block in the order [B, heads, rows, columns], with as few reads of the file as its order
  /// allows.
  Result<void> read(std::array<Range, 4> block, std::span<float> out) const;
};

/// A tensor of a layer by its likeliest reading, or, where several agree with the sizes, by the one of
/// that number; nothing: the capture does not have it.
Result<std::optional<LayerTensor>> open_tensor(const Capture& capture, Index layer, TensorRole role,
                                               std::size_t reading = 0);

}  // namespace vqscope
