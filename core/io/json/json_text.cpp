// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/json/json_text.h"

namespace vqscope {

std::string json_text(std::string_view text) {
  constexpr std::string_view hex = "0123456789abcdef";
  std::string quoted = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') quoted += '\\';
    if (code < 0x20)
      (quoted += "\\u00") += {hex[code >> 4], hex[code & 15]};
    else
      quoted += c;
  }
  return quoted + "\"";
}

std::string json_number(double value) {
  TextBuffer text;
  append_json(text, value);
  return std::string(text.view());
}

}  // namespace vqscope
