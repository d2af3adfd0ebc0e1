// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

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

/// With a comma between each three digits behind the sign.
std::string grouped_digits(std::string digits, std::size_t first) {
  for (std::size_t i = digits.size(); i > first + 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

/// Levenshtein: how many letters must be inserted, removed or replaced.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string to_text(double value) { return shortest_real(value); }
std::string to_text(float value) { return shortest_real(value); }
std::string to_text(Index value) { return shortest(value); }

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

std::optional<std::string> nearest_name(std::string_view given, std::span<const std::string> known) {
  const std::string* best = nullptr;
  std::size_t best_distance = std::max<std::size_t>(2, given.size() / 2) + 1;
  for (const auto& name : known) {
    const bool contains = given.size() >= 3 && name.find(given) != std::string::npos;
    const std::size_t distance = contains ? 1 : edit_distance(given, name);
    if (distance < best_distance) {
      best = &name;
      best_distance = distance;
    }
  }
  return best ? std::optional(*best) : std::nullopt;
}

std::string did_you_mean(std::string_view given, std::span<const std::string> known) {
  const auto near = nearest_name(given, known);
  return near ? "; did you mean " + *near + "?" : std::string();
}

}  // namespace vqscope
