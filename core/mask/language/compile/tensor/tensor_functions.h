// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/compilation.h"

namespace vqscope::language {

/// Applies a function of torch or NumPy on whole arrays, by its canonical name; empty: there is
/// none.
std::optional<Value> apply_to_tensors(Compilation& c, const std::string& name, std::vector<Argument> arguments,
                                      Range range);

}  // namespace vqscope::language
