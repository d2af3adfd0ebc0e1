// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/lint_case.h"

namespace vqscope {

/// Guesses the objective of a mask without a preset, with its prefix or spans: causal if no key
/// ahead is visible or no other objective fits. `text_prefix`: the prefix given by the mask's text.
void guess_objective(LintCase& given, std::optional<Index> text_prefix);

}  // namespace vqscope
