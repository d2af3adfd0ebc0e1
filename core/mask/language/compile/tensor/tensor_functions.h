// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/compilation.h"

namespace vqscope::language {

/// A function of torch or NumPy of whole arrays, by its one name; nothing: there is none of this name.
std::optional<Value> apply_to_tensors(Compilation& c, const std::string& name, std::vector<Argument> arguments,
                                      Range range);

}  // namespace vqscope::language
