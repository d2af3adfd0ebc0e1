// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/given.h"
#include "core/mask/language/parse/syntax.h"

#include <string_view>

namespace vqscope::language {

/// Resolves names, expands functions and splits the mask into terms. What begins at or after byte
/// `library` of the text is only for use by the text and not a mask itself.
Compiled compile(std::string_view text, const Syntax& syntax, const Given& given, Index library);

}  // namespace vqscope::language
