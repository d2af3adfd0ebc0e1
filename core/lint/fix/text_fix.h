// SPDX-License-Identifier: GPL-3.0-or-later
// A mended text of a mask.
#pragma once

#include "core/lint/lint.h"

#include <optional>
#include <stop_token>
#include <string>

namespace vqscope {

/// One comparison of the text written otherwise.
struct TextFix {
  std::string rule;  ///< that is broken without it
  Index line = 1;    ///< of the comparison, as in SourceError
  Index column = 1;
  std::string found;     ///< "<="
  std::string fix;       ///< "<"
  std::string sentence;  ///< of the finding
  std::string text;      ///< the whole text with the fix
  friend bool operator==(const TextFix&, const TextFix&) = default;
};

/// The first comparison that, turned between < and <= or > and >=, keeps every rule that was kept and
/// has one finding or question less, that of the rule. Nothing if there is none, if the values of
/// `visibility` have no text of their own, or if it takes too long. `report`: of the text as it is.
std::optional<TextFix> fix_of_text(const ParameterValues& values, const ParameterValues& stated,
                                   const LintReport& report, const std::stop_token& stop = {});

}  // namespace vqscope
