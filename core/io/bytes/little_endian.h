// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cassert>
#include <cstdint>
#include <string_view>

namespace vqscope {

/// The number that at most eight bytes encode, lowest first, on a machine of any byte order.
inline std::uint64_t little_endian(std::string_view bytes) {
  assert(bytes.size() <= 8);
  std::uint64_t number = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) number = number << 8 | static_cast<unsigned char>(bytes[i]);
  return number;
}

}  // namespace vqscope
