// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments/option_table.h"
#include "core/method/method.h"

#include <span>
#include <string>

namespace vqscope {

/// Sets one value of `owner`, which has the parameters `specs`.
Result<void> applySetting(const Setting& setting, std::span<const ParameterSpec> specs, const std::string& owner,
                          ParameterValues& values);

}  // namespace vqscope
