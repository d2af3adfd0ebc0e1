// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/lint_case.h"

namespace vqscope {

/// Takes position_ids of all tokens, or of the queries alone, with the draft blocks or branches
/// that they show.
Result<void> take_positions(const ParameterValues& stated, LintCase& made);

/// Refuses a list that is neither empty nor `wanted` long.
Result<void> check_length(const char* name, std::size_t length, Index wanted, const char* wanted_name);

}  // namespace vqscope
