// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <string_view>

namespace vqscope::language {

/// Characters that stand on a line before byte `at` of the text, from 0; a tab reaches to the next multiple of 8.
Index column_of(std::string_view text, Index at);

/// The column at which the line of byte `at` begins to hold something.
Index indentation_of(std::string_view text, Index at);

}  // namespace vqscope::language
