// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/text.h"
#include "tests/core/mask/language/cells.h"

#include <functional>

namespace vqscope::test {

/// A text, and which cells it must show by a definition in C++.
struct TextCase {
  std::string text;
  std::function<bool(Index q, Index kv)> visible;
};

/// Empty, or where the text differs from the definition, for several lengths; or why it is no mask.
inline std::string wrong_cells(const TextCase& one) {
  for (const Index length : {1, 2, 5, 8, 13}) {
    const std::string cells = cells_of(one.text, length);
    if (static_cast<Index>(cells.size()) != length * length) return one.text + ": " + cells;
    for (Index q = 0; q < length; ++q)
      for (Index kv = 0; kv < length; ++kv)
        if ((cells[static_cast<std::size_t>(q * length + kv)] == '1') != one.visible(q, kv))
          return one.text + ": differs at (" + to_text(q) + ", " + to_text(kv) + ") of " + to_text(length);
  }
  return {};
}

/// "def mask(b, h, q_idx, kv_idx):" with these lines as its body.
inline std::string mask_of(const std::string& lines) {
  std::string text = "def mask(b, h, q_idx, kv_idx):\n  ";
  for (const char letter : lines) text += letter == '\n' ? std::string("\n  ") : std::string(1, letter);
  return text;
}

/// The message with which a body is refused.
inline std::string refused_body(const std::string& lines) { return error_of(mask_of(lines)); }

}  // namespace vqscope::test
