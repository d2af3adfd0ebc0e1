// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"

#include <string>
#include <vector>

namespace vqscope {

/// Omissions and changes made to open a file: one sentence each, naming the page and the parameter.
using Notes = std::vector<std::string>;

/// The value at the end of "Buckets: q_length is 0, must be an integer from 1 to 8; it is 4 now".
std::string short_value(const ParameterValue& value);

/// All notes as one sentence of at most 400 characters: the first few and the number of others.
/// Empty without notes.
std::string summary(const Notes& notes);

}  // namespace vqscope
