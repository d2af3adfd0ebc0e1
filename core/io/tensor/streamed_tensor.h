// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/io/bytes/byte_sink.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace vqscope {

/// An int32 tensor whose numbers are made while they are written.
struct StreamedTensor {
  std::string name;
  std::vector<Index> shape;
  /// Writes all numbers in C order, little endian; the same each time.
  std::function<Result<void>(ByteSink&)> write;

  std::uint64_t bytes() const;
};

/// Writes a .npz or a .safetensors file, at most 4 GiB. The tensors have different names.
Result<void> write_npz(std::span<const StreamedTensor> tensors, ByteSink& sink);
Result<void> write_streamed_safetensors(std::span<const StreamedTensor> tensors, ByteSink& sink);

}  // namespace vqscope
