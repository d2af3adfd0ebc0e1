// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/plain_characters.h"

#include "core/base/text.h"

namespace vqscope {
namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";

bool is_allowed(char32_t code) {
  if (code == '\n' || code == '\t') return true;
  const bool is_control = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const bool turns = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return !is_control && !turns && (code & 0xfffe) != 0xfffe && !(code >= 0xfdd0 && code <= 0xfdef);
}

}  // namespace

std::string plain_characters(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    const std::size_t bytes = utf8_sequence(text);
    const auto character = text.substr(0, bytes == 0 ? 1 : bytes);
    const bool is_break = character == "\r";
    if (!is_break) plain += bytes > 0 && is_allowed(utf8_code(character)) ? character : replacement;
    text.remove_prefix(character.size());
  }
  return plain;
}

}  // namespace vqscope
