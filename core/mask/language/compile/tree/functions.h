// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/compilation.h"

namespace vqscope::language {

/// What a function gives for some arguments.
Value apply(Compilation& c, const Callable& callable, const std::vector<Argument>& arguments, Range range);

/// Gives a function's parameters their values in its scope.
void bind_arguments(Compilation& c, const Function& function, const Callable& callable,
                    const std::vector<Argument>& arguments, Range range, Scope& scope);

/// and_masks(...) and or_masks(...)
Value join_masks(Compilation& c, const Expression& e, bool all, const std::vector<Argument>& arguments);

}  // namespace vqscope::language
