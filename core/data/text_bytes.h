// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace vqscope {

/// A text as tokens: its bytes, in any encoding.
inline constexpr std::int64_t byte_vocabulary = 256;
std::vector<std::int32_t> tokens_of_bytes(std::string_view bytes);

}  // namespace vqscope
