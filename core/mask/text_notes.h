// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cstddef>
#include <string>
#include <vector>

namespace vqscope {

/// What stands behind a line of a mask's text for one cell: "300 >= 12, 288 < 128 ✗".
struct LineNote {
  Index line = 0;  ///< from 0
  std::string words;
  friend bool operator==(const LineNote&, const LineNote&) = default;
};

/// Bytes of the text that belong to a term.
struct TermRange {
  std::size_t term = 0;
  Range range;
};

struct TextNotes {
  std::vector<LineNote> lines;
  std::vector<TermRange> terms;
};

}  // namespace vqscope
