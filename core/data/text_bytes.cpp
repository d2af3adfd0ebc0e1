// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/text_bytes.h"

namespace vqscope {

std::vector<std::int32_t> tokens_of_bytes(std::string_view bytes) {
  std::vector<std::int32_t> tokens;
  tokens.reserve(bytes.size());
  for (const char byte : bytes) tokens.push_back(static_cast<unsigned char>(byte));
  return tokens;
}

}  // namespace vqscope
