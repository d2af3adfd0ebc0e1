// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/compilation.h"

namespace vqscope::language {

/// Gives each term its comparisons; a mask without terms is True.
void finish_terms(Compilation& c);

/// Splits the result of a mask into terms joined by `and`.
void split_result(Compilation& c, NodeId root, Range range);

}  // namespace vqscope::language
