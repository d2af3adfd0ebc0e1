// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/contract_case.h"

namespace vqscope {

/// Guesses the objective of a mask without a preset, with its prefix or spans: causal if no key
/// ahead is visible or no other objective fits. `text_prefix`: the prefix given by the mask's text.
void guess_objective(ContractCase& given, std::optional<Index> text_prefix);

}  // namespace vqscope
