// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <utility>

namespace vqscope {
namespace {

template <class T>
std::string shortest(T value) {
  std::array<char, 48> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

template <class T>
std::string shortest_real(T value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return shortest(value);
}

template <class T>
std::optional<T> parse_whole(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

double power_of_1024(char suffix) {
  switch (suffix) {
    case 'k':
    case 'K': return 0x1p10;
    case 'M': return 0x1p20;
    case 'G': return 0x1p30;
    default: return 0;
  }
}

/// `2_097` without the underscores; one that does not stand between digits spoils the text.
std::optional<std::string> without_underscores(std::string_view text) {
  const auto is_digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  std::string bare;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_')
      bare += text[i];
    else if (i == 0 || !is_digit(i - 1) || !is_digit(i + 1))
      return std::nullopt;
  }
  return bare;
}

/// Narrow and unbreakable, U+202F, as ISO 80000 separates thousands.
constexpr auto thousands_space = "\u202f";

/// With a space between each three digits behind the sign.
std::string grouped_digits(std::string digits, std::size_t first) {
  for (std::size_t i = digits.size(); i > first + 3; i -= 3) digits.insert(i - 3, thousands_space);
  return digits;
}

/// How many letters must be inserted, removed, replaced, or swapped with the next one.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before;
  std::vector<std::size_t> last(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::vector<std::size_t> row{i + 1};
    for (std::size_t j = 0; j < b.size(); ++j) {
      row.push_back(std::min({last[j] + (a[i] == b[j] ? 0 : 1), row[j] + 1, last[j + 1] + 1}));
      const bool swapped = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (swapped) row.back() = std::min(row.back(), before[j - 1] + 1);
    }
    before = std::exchange(last, std::move(row));
  }
  return last.back();
}

bool is_blank(char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f'; }

std::string_view without_blanks_around(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Without the dashes of an option, which all have in common.
std::string_view letters(std::string_view name) {
  name.remove_prefix(std::min(name.find_first_not_of('-'), name.size()));
  return name;
}

unsigned byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

/// By its first byte; 0: none begins so.
std::size_t length_of(unsigned first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

}  // namespace

std::string to_text(double value) { return shortest_real(value); }
std::string to_text(float value) { return shortest_real(value); }
std::string to_text(Index value) { return shortest(value); }

std::string plain_text(double value) {
  const bool whole = value == std::floor(value) && std::abs(value) < 0x1p53;
  return whole ? to_text(static_cast<Index>(value)) : to_text(value);
}

std::string to_text(double value, int digits) {
  if (!std::isfinite(value)) return to_text(value);
  std::array<char, 64> buffer;
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, digits).ptr;
  return {buffer.data(), end};
}

std::string grouped(Index value) { return grouped_digits(to_text(value), value < 0 ? 1 : 0); }
std::string grouped_count(std::uint64_t value) { return grouped_digits(shortest(value), 0); }

std::string byte_count(double bytes) {
  constexpr std::array units{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < units.size()) {
    bytes /= 1024;
    ++unit;
  }
  return to_text(bytes, bytes < 1000 ? 3 : 4) + " " + units[unit];
}

std::optional<Index> parse_index(std::string_view text) { return parse_whole<Index>(text); }
std::optional<double> parse_real(std::string_view text) { return parse_whole<double>(text); }

std::optional<double> parse_amount(std::string_view text) {
  const auto bare = without_underscores(trimmed(text));
  if (!bare || bare->empty()) return std::nullopt;
  text = *bare;
  if (const auto at = text.find('^'); at != std::string_view::npos) {
    const auto base = parse_real(text.substr(0, at));
    const auto exponent = parse_real(text.substr(at + 1));
    return base && exponent ? std::optional(std::pow(*base, *exponent)) : std::nullopt;
  }
  const double times = power_of_1024(text.back());
  if (times == 0) return parse_real(text);
  const auto number = parse_real(text.substr(0, text.size() - 1));
  return number ? std::optional(*number * times) : std::nullopt;
}

std::optional<Index> parse_count(std::string_view text) {
  constexpr double exact_limit = 0x1p53;
  if (const auto plain = parse_index(text)) return plain;
  const auto amount = parse_amount(text);
  if (!amount || std::floor(*amount) != *amount || std::abs(*amount) > exact_limit) return std::nullopt;
  return static_cast<Index>(*amount);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return lower;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  const auto first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string text;
  for (const auto& part : parts) {
    if (&part != parts.data()) text += separator;
    text += part;
  }
  return text;
}

std::string listed(std::span<const std::string> items) {
  if (items.size() < 2) return items.empty() ? std::string() : items.front();
  return join(items.first(items.size() - 1), ", ") + " and " + items.back();
}

std::string shell_word(std::string_view text) {
  const auto is_plain = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           std::string_view("_.,:/@%+=-").find(c) != std::string_view::npos;
  };
  if (std::ranges::all_of(text, is_plain)) return std::string(text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

namespace {

/// Control characters beyond ASCII and characters that change the order of others or have no width: a terminal
/// would show another text than there is.
bool is_unseen(char32_t code) {
  constexpr std::pair<char32_t, char32_t> ranges[]{{0x80, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},
                                                   {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},
                                                   {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f}};
  return std::ranges::any_of(ranges, [&](const auto& range) { return range.first <= code && code <= range.second; });
}

}  // namespace

std::string shortened(std::string_view text, std::size_t most) {
  text = without_blanks_around(text);
  std::string shown;
  std::size_t count = 0;
  std::size_t before_last = 0;  // bytes of `shown` that leave a character for the ellipsis
  bool in_blanks = false;
  while (!text.empty()) {
    const std::size_t length = utf8_sequence(text);
    const bool blank = is_blank(text.front()) || (length > 1 && is_unseen(utf8_code(text.substr(0, length))));
    if (!blank || !in_blanks) {
      if (count == most) return shown.substr(0, before_last) + "…";
      ++count;
      shown += blank ? " " : length == 0 ? "\ufffd" : text.substr(0, length);
      if (count < most) before_last = shown.size();
    }
    in_blanks = blank;
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return shown;
}

std::optional<std::string> nearest_name(std::string_view given, std::span<const std::string> known) {
  constexpr std::size_t longest = 200;  // bytes; longer names get no suggestion
  if (given.size() > longest) return std::nullopt;
  constexpr std::size_t longest_name = 256;
  if (given.size() > longest_name) return std::nullopt;
  given = letters(given);
  const std::string* best = nullptr;
  std::size_t best_distance = std::max<std::size_t>(1, given.size() / 3) + 1;
  for (const auto& name : known) {
    const bool contains = given.size() >= 3 && name.find(given) != std::string::npos;
    const std::size_t distance = contains ? 1 : edit_distance(given, letters(name));
    if (distance < best_distance) {
      best = &name;
      best_distance = distance;
    }
  }
  return best ? std::optional(*best) : std::nullopt;
}

std::string did_you_mean(std::string_view given, std::span<const std::string> known) {
  const auto near = nearest_name(given, known);
  return near ? "; did you mean " + shortened(*near) + "?" : std::string();
}

std::size_t utf8_sequence(std::string_view text) {
  if (text.empty()) return 0;
  const unsigned first = byte_at(text, 0);
  const std::size_t length = length_of(first);
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte_at(text, i) & 0xc0) != 0x80) return 0;
  if (length < 3) return length;
  const unsigned second = byte_at(text, 1);
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool surrogate = first == 0xed && second >= 0xa0;
  const bool beyond = first == 0xf4 && second >= 0x90;
  return overlong || surrogate || beyond ? 0 : length;
}

char32_t utf8_code(std::string_view character) {
  if (character.size() == 1) return byte_at(character, 0);
  char32_t code = byte_at(character, 0) & (0x7fU >> character.size());
  for (std::size_t i = 1; i < character.size(); ++i) code = code << 6 | (byte_at(character, i) & 0x3f);
  return code;
}

void append_utf8(std::string& text, char32_t code) {
  assert(code <= 0x10ffff);
  const auto last = [&](int shift) { text += static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xc0 | (code >> 6));
    last(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xe0 | (code >> 12));
    last(6);
    last(0);
  } else {
    text += static_cast<char>(0xf0 | (code >> 18));
    last(12);
    last(6);
    last(0);
  }
}

}  // namespace vqscope
