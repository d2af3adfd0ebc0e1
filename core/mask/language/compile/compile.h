// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/given.h"
#include "core/mask/language/parse/syntax.h"

#include <string_view>

namespace vqscope::language {

/// Resolves names, puts functions in place and splits the mask into terms.
/// What begins at or behind byte `library` of the text is no mask by itself: the text may use it.
Compiled compile(std::string_view text, const Syntax& syntax, const Given& given, Index library);

}  // namespace vqscope::language
