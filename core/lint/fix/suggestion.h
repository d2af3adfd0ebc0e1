// SPDX-License-Identifier: GPL-3.0-or-later
// What a question asks to set, for a button.
#pragma once

#include "core/lint/finding.h"
#include "core/lint/lint_case.h"

#include <string>
#include <utility>
#include <vector>

namespace vqscope {

/// Parameters of lint_parameters(), or of the sequence, with their values as texts. One without a value
/// is for the user to fill in.
struct Suggestion {
  std::vector<std::pair<std::string, std::string>> values;

  bool is_complete() const;
  /// "window = 129", "padding = 3, padding_side = left", "dialect".
  std::string text() const;
  friend bool operator==(const Suggestion&, const Suggestion&) = default;
};

/// The suggestions of a question, from "set NAME=VALUE" in its sentence; none of other findings. If
/// the mask's text names another window than the mask keeps, that window comes first.
std::vector<Suggestion> suggestions_of(const Finding& finding, const LintCase& given);

}  // namespace vqscope
