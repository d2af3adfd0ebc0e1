// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/lint_case.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace vqscope {

struct BrokenRow {
  Index row = 0;
  std::optional<Index> key = {};        ///< of the first cell that breaks a rule; nothing: the row as a whole does
  std::vector<std::string> rules = {};  ///< titles; empty: it keeps every rule
};

/// What row q breaks by itself: one of its cells is visible or masked against a rule, it sees no
/// key, or its position or label is wrong. Rules about the mask as a whole, such as an inverted
/// polarity, do not count. This function is the definition.
BrokenRow broken_row(const LintCase& given, Index q);

/// The next row after `from`, or before it, that breaks a rule; -1 and q_length stand before and
/// after all rows. For a mask with bands the search halves the rows, so its time grows with log T;
/// other masks go row by row. Errors are Errc::cancelled, and Errc::too_large if the search takes
/// too long.
Result<std::optional<Index>> next_row_that_breaks(const LintCase& given, Index from, bool forwards,
                                                  const std::stop_token& stop = {});

}  // namespace vqscope
