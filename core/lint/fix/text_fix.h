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

  /// Whether it is the fix of this finding of the mask that it was made for.
  bool mends(const Finding& finding_of_mask) const {
    return rule == finding_of_mask.rule && sentence == finding_of_mask.sentence;
  }
  /// "line 4, column 32: write < in place of <=".
  std::string words() const;
  friend bool operator==(const TextFix&, const TextFix&) = default;
};

/// The first comparison that, turned between < and <= or > and >=, keeps every rule that was kept and
/// has one finding or question less, that of the rule. Nothing if there is none, if the values of
/// `visibility` have no text of their own, or if it takes too long. `report`: of the text as it is, by
/// the rules of the options.
std::optional<TextFix> fix_of_text(const ParameterValues& values, const ParameterValues& stated,
                                   const LintReport& report, const LintOptions& options = {});

}  // namespace vqscope
