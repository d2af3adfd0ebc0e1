// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/lint_case.h"
#include "core/lint/lint_plan.h"

#include <span>
#include <string>
#include <vector>

namespace vqscope {

/// The positions given for queries or keys, and the token runs with the expected ones.
struct PositionSide {
  std::span<const Index> ids;
  std::span<const TokenRun> runs;
  bool queries = false;
  Index first = 0;  ///< position of the first token of a sequence

  Index wanted(const TokenRun& run) const { return run.first + first; }
  Index at(Index token) const { return ids[static_cast<std::size_t>(token)]; }
  std::string token(Index token) const;  ///< "query 3"
};

/// Keys first; sides without positions are left out.
std::vector<PositionSide> position_sides(const LintCase& given);

/// Why positions cannot be checked as those of one sequence in order; empty: they can.
std::string positions_unchecked(const LintCase& given);

/// A finding at the first of some tokens that break a rule; `one` names one of them.
Finding token_finding(const PositionSide& side, const std::vector<Range>& tokens, const std::string& sentence,
                      const std::string& one);

/// The first run of real tokens; nullptr: there is none.
const TokenRun* first_real(std::span<const TokenRun> runs);

/// Whether the keys begin with padding.
bool padded_left(const LintCase& given);

}  // namespace vqscope
