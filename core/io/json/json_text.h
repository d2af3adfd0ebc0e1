// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/bytes/number_text.h"

#include <cmath>
#include <concepts>
#include <string>
#include <string_view>

namespace vqscope {

/// In quotes, with what JSON wants escaped.
std::string json_text(std::string_view text);

/// The shortest text that reads back as the same number; NaN and infinities, which JSON does not have, are null.
template <class T>
void append_json(TextBuffer& text, T value) {
  if constexpr (std::floating_point<T>) {
    if (!std::isfinite(value)) return text.append("null");
  }
  text.append_number(value);
}
std::string json_number(double value);

}  // namespace vqscope
