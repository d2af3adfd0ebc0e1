// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/contract_case.h"

#include <optional>
#include <string>

namespace vqscope {

/// What hides keys from a query that would be wanted, where the mask is otherwise whole: "a window of 129 keys: state
/// window=129". Nothing where no window, chunk or document explains every row, or the rows are too many to look at.
std::optional<std::string> hidden_on_purpose(const ContractCase& given);

}  // namespace vqscope
