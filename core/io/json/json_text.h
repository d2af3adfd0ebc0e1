// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/bytes/number_text.h"

#include <cmath>
#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

namespace vqscope {

/// In quotes, with what JSON wants escaped. Bytes that are no UTF-8 are lone surrogates \udc80 to \udcff, as Python
/// writes them.
void append_json(TextBuffer& text, std::string_view value);
std::string json_text(std::string_view value);

/// The shortest text that reads back as the same number; NaN and infinities, which JSON does not have, are null.
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
