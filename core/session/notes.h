// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"

#include <string>
#include <vector>

namespace vqscope {

/// What was left out of a file or changed for it to be opened: a sentence each, that names the page and the parameter.
using Notes = std::vector<std::string>;

/// "Buckets: q_length is 0, must be an integer from 1 to 8; it is 4 now" ends with this value.
std::string short_value(const ParameterValue& value);

/// All of them as one sentence of at most 400 characters: the first few and how many more. Empty where there are none.
std::string summary(const Notes& notes);

}  // namespace vqscope
