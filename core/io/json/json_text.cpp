// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/json/json_text.h"

#include "core/base/text.h"

namespace vqscope {
namespace {

void append_escaped(TextBuffer& text, unsigned code) {
  constexpr std::string_view hex = "0123456789abcdef";
  text.append("\\u");
  for (const int shift : {12, 8, 4, 0}) text.append(hex[(code >> shift) & 15]);
}

void append_ascii(TextBuffer& text, char c) {
  constexpr std::string_view named = "\b\f\n\r\t\"\\";
  constexpr std::string_view letters = "bfnrt\"\\";
  if (const auto at = named.find(c); at != std::string_view::npos) {
    text.append('\\');
    text.append(letters[at]);
  } else if (static_cast<unsigned char>(c) < 0x20) {
    append_escaped(text, static_cast<unsigned char>(c));
  } else {
    text.append(c);
  }
}

}  // namespace

void append_json(TextBuffer& text, std::string_view value) {
  text.append('"');
  while (!value.empty()) {
    const std::size_t bytes = utf8_sequence(value);
    if (bytes == 0)
      append_escaped(text, 0xdc00U + static_cast<unsigned char>(value[0]));
    else if (bytes == 1)
      append_ascii(text, value[0]);
    else
      text.append(value.substr(0, bytes));
    value.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  text.append('"');
}

std::string json_text(std::string_view value) {
  TextBuffer text;
  append_json(text, value);
  return std::string(text.view());
}

std::string json_number(double value) {
  TextBuffer text;
  append_json(text, value);
  return std::string(text.view());
}

}  // namespace vqscope
