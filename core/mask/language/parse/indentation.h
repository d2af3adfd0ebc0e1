// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <string_view>

namespace vqscope::language {

/// Column of byte `at` of the text on its line, from 0; a tab extends to the next multiple of 8.
Index column_of(std::string_view text, Index at);

/// The column of the first non-blank character on the line of byte `at`.
Index indentation_of(std::string_view text, Index at);

}  // namespace vqscope::language
