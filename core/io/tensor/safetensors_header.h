// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace vqscope {

/// The first bytes of a .safetensors file: the length of the header, then the tensors as a JSON
/// object, padded so that the data begins at a multiple of 8.
class SafetensorsHeader {
 public:
  /// The next tensor of the data; `bytes` is its size there.
  void add(std::string_view name, std::string_view dtype, std::span<const Index> shape, std::uint64_t bytes);
  std::string bytes() const;

 private:
  std::string m_entries;
  std::uint64_t m_end = 0;  ///< of the data so far
};

}  // namespace vqscope
