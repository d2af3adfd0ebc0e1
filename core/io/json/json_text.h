// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/bytes/number_text.h"

#include <cmath>
#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

namespace vqscope {

/// In quotes, escaped as JSON requires. Bytes that are not UTF-8 become lone surrogates \udc80 to
/// \udcff, as in Python.
void append_json(TextBuffer& text, std::string_view value);
std::string json_text(std::string_view value);

/// The shortest text that reads back as the same number; null for NaN and infinities, which JSON
/// lacks.
template <class T>
requires std::is_arithmetic_v<T>
void append_json(TextBuffer& text, T value) {
  if constexpr (std::floating_point<T>) {
    if (!std::isfinite(value)) return text.append("null");
  }
  text.append_number(value);
}
std::string json_number(double value);

}  // namespace vqscope
