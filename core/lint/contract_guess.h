// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/contract_case.h"

namespace vqscope {

/// The objective that a mask of no preset looks like, with its prefix or spans: causal where nothing ahead is seen, or
/// where none fits. `text_prefix`: the prefix that the mask's text names.
void guess_objective(ContractCase& given, std::optional<Index> text_prefix);

}  // namespace vqscope
