// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/contract_case.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace vqscope {

/// Titles of the rules that row q breaks by itself: a cell of it is seen or masked against a rule, it sees no key, or
/// its position or label is wrong. What a mask breaks as a whole, as an inverted polarity, is no matter of rows. This
/// is the definition.
std::vector<std::string> rules_broken_by(const ContractCase& given, Index q);

/// The next row behind `from`, or before it, that breaks a rule; -1 and q_length stand before and behind all rows. A
/// mask with bands is counted in halves of its rows, so that the time grows with log T; others go row by row. The one
/// error is Errc::cancelled.
Result<std::optional<Index>> next_row_that_breaks(const ContractCase& given, Index from, bool forwards,
                                                  const std::stop_token& stop = {});

}  // namespace vqscope
