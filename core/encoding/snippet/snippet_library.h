// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string_view>

namespace vqscope {

enum class SnippetLibrary { numpy, torch };

/// "numpy" or "torch"; the error names both.
Result<SnippetLibrary> snippet_library(std::string_view name);

}  // namespace vqscope
