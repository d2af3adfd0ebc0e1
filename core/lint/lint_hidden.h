// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/lint_case.h"

#include <optional>
#include <string>

namespace vqscope {

/// Why keys that a query is expected to see are hidden, if that explains it: "a window of 129 keys:
/// set window=129". Nothing if no window, chunks, documents, padding, several of these with sinks,
/// slots with gaps, or symmetric pattern explains every row, or if there are too many rows to
/// check.
std::optional<std::string> hidden_on_purpose(const LintCase& given);

}  // namespace vqscope
