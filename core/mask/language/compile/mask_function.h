// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/compilation.h"

namespace vqscope::language {

/// Adds the terms of the text's result to the code.
void make_terms(Compilation& c, Value result);

/// Result of a function whose parameters are free names.
Value unfold(Compilation& c, const Callable& factory);

/// Whether a function returns one of the functions defined in it, or joined masks.
bool is_factory(Compilation& c, const Function& function, int depth = 0);

/// Whether it takes (b, h, q_idx, kv_idx), or parameters whose names are known.
bool is_mask(Compilation& c, const Function& function);

}  // namespace vqscope::language
