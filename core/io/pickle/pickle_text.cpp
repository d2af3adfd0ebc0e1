// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/pickle/pickle_text.h"

#include "core/base/text.h"

namespace vqscope {
namespace {

/// The number of hexadecimal digits; nothing if one is none.
std::optional<char32_t> from_hex(std::string_view digits) {
  char32_t number = 0;
  for (const char c : digits) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return std::nullopt;
    number = number << 4 | static_cast<char32_t>(digit);
  }
  return number;
}

/// What stands for itself after a backslash, or for a control character.
std::optional<char> simple_escape(char c) {
  constexpr std::string_view letters = "\\'\"abfnrtv0";
  constexpr std::string_view meanings("\\'\"\a\b\f\n\r\t\v\0", 11);
  const auto at = letters.find(c);
  return at == std::string_view::npos ? std::nullopt : std::optional(meanings[at]);
}

}  // namespace

std::optional<std::string> unquoted(std::string_view text) {
  if (text.size() < 2 || (text[0] != '\'' && text[0] != '"') || text.back() != text[0]) return std::nullopt;
  text = text.substr(1, text.size() - 2);
  std::string bytes;
  while (!text.empty()) {
    if (text[0] != '\\') {
      bytes += text[0];
      text.remove_prefix(1);
    } else if (text.size() >= 4 && text[1] == 'x') {
      const auto code = from_hex(text.substr(2, 2));
      if (!code) return std::nullopt;
      bytes += static_cast<char>(*code);
      text.remove_prefix(4);
    } else if (const auto meant = text.size() >= 2 ? simple_escape(text[1]) : std::nullopt) {
      bytes += *meant;
      text.remove_prefix(2);
    } else {
      return std::nullopt;
    }
  }
  return bytes;
}

std::optional<std::string> unescaped_unicode(std::string_view text) {
  std::string all;
  while (!text.empty()) {
    const std::size_t digits = text.starts_with("\\u") ? 4 : text.starts_with("\\U") ? 8 : 0;
    if (digits == 0) {
      append_utf8(all, static_cast<unsigned char>(text[0]));
      text.remove_prefix(1);
      continue;
    }
    const auto code = text.size() >= digits + 2 ? from_hex(text.substr(2, digits)) : std::nullopt;
    if (!code || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000)) return std::nullopt;
    append_utf8(all, *code);
    text.remove_prefix(digits + 2);
  }
  return all;
}

std::optional<std::string> latin1_bytes(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < 0x80) {
      bytes += text[i];
      continue;
    }
    if ((lead != 0xc2 && lead != 0xc3) || i + 1 == text.size()) return std::nullopt;
    const auto next = static_cast<unsigned char>(text[++i]);
    if ((next & 0xc0) != 0x80) return std::nullopt;
    bytes += static_cast<char>((lead & 3) << 6 | (next & 0x3f));
  }
  return bytes;
}

std::optional<std::string> decoded(PickledForm form, std::string_view text) {
  if (form != PickledForm::quoted && form != PickledForm::escaped) return std::string(text);
  if (text.ends_with('\r')) text.remove_suffix(1);
  return form == PickledForm::quoted ? unquoted(text) : unescaped_unicode(text);
}

}  // namespace vqscope
