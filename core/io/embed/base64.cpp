// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/embed/base64.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>

namespace vqscope {
namespace {

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr char padding = '=';
constexpr unsigned bits = 6;  // of a digit
constexpr std::uint8_t no_digit = 0xff;

constexpr std::array<std::uint8_t, 256> digit_values = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(no_digit);
  for (std::size_t i = 0; i < digits.size(); ++i)
    values[static_cast<unsigned char>(digits[i])] = static_cast<std::uint8_t>(i);
  return values;
}();

std::uint8_t value_of(char digit) { return digit_values[static_cast<unsigned char>(digit)]; }

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t some = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) group = group << 8 | (j < some ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j)
      text += j <= some ? digits[group >> (bits * (3 - static_cast<unsigned>(j))) & 63U] : padding;
  }
  return text;
}

bool is_base64(std::string_view text) {
  if (text.size() % 4 != 0) return false;
  for (int most = 2; most > 0 && text.ends_with(padding); --most) text.remove_suffix(1);
  return std::ranges::all_of(text, [](char c) { return value_of(c) != no_digit; });
}

std::string from_base64(std::string_view text) {
  assert(is_base64(text));
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t group = 0;
  unsigned filled = 0;
  for (const char digit : text) {
    if (digit == padding) break;
    group = group << bits | value_of(digit);
    filled += bits;
    if (filled < 8) continue;
    filled -= 8;
    bytes += static_cast<char>(group >> filled & 0xffU);
  }
  return bytes;
}

}  // namespace vqscope
