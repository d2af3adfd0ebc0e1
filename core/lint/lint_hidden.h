// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/fix/suggestion.h"
#include "core/lint/lint_case.h"

#include <optional>
#include <string>

namespace vqscope {

/// Why a mask hides keys, if that is intended.
struct HiddenPurpose {
  std::string what;   ///< "a window of 129 keys"
  Suggestion states;  ///< what to set to say so

  /// "a window of 129 keys: set window=129".
  std::string text() const { return what + ": set " + states.words(); }
};

/// Why keys that a query is expected to see are hidden, if that explains it. Nothing if no window,
/// chunks, documents, padding, several of these with sinks, slots with gaps, or symmetric pattern
/// explains every row, or if there are too many rows to check.
std::optional<HiddenPurpose> hidden_on_purpose(const LintCase& given);

}  // namespace vqscope
