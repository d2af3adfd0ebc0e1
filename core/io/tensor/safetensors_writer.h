// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/io/bytes/byte_sink.h"

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace vqscope {

/// A tensor to be written, its numbers in C order: F64, F32 or I32.
struct NamedTensor {
  std::string name;
  std::vector<Index> shape;
  std::variant<std::vector<double>, std::vector<float>, std::vector<std::int32_t>> values;
};

/// Writes a .safetensors file. The tensors have different names; their data is in their order and
/// begins at a multiple of 8.
Result<void> write_safetensors(std::span<const NamedTensor> tensors, ByteSink& sink);

}  // namespace vqscope
