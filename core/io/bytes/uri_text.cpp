// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/bytes/uri_text.h"

#include <fmt/core.h>

namespace vqscope {

std::string uri_text(std::string_view path) {
  std::string uri;
  for (const char c : path) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          std::string_view("-._~/").find(c) != std::string_view::npos;
    uri += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

}  // namespace vqscope
