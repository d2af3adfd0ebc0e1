// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/bytes/byte_sink.h"

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace vqscope {

/// append_number never writes more characters than this.
constexpr std::size_t max_number_chars = 32;

/// Collects bytes before they go to the sink; formats numbers in place.
class TextBuffer {
 public:
  TextBuffer() { m_text.reserve(capacity + 4096); }

  bool full() const { return m_text.size() >= capacity; }
  std::string_view view() const { return m_text; }
  std::string take() { return std::move(m_text); }
  Result<void> flush(ByteSink& sink) {
    auto written = sink.write(m_text);
    m_text.clear();
    return written;
  }
  void append(std::string_view text) { m_text += text; }
  void append(char c) { m_text += c; }

  template <std::integral T>
  void append_number(T value) {
    append_chars(value);
  }

  /// The shortest text that reads back as the same T. Whole numbers have no exponent
  /// within the range that T counts exactly: a distance is 100000, not 1e+05.
  template <std::floating_point T>
  void append_number(T value) {
    constexpr T exact = T(std::int64_t{1} << std::numeric_limits<T>::digits);
    const bool whole = value > -exact && value < exact && value == std::trunc(value);
    if (whole && !(value == 0 && std::signbit(value)))
      append_chars(static_cast<std::int64_t>(value));
    else if (std::isfinite(value))
      append_chars(value);
    else
      append(std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
  }

 private:
  static constexpr std::size_t capacity = std::size_t{1} << 16;

  template <class T>
  void append_chars(T value) {
    char digits[max_number_chars];
    const auto end = std::to_chars(digits, digits + max_number_chars, value).ptr;
    m_text.append(digits, static_cast<std::size_t>(end - digits));
  }

  std::string m_text;
};

}  // namespace vqscope
