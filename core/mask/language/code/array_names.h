// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/parse/syntax.h"

#include <set>
#include <string>

namespace vqscope::language {

/// The names that a text uses as whole arrays: x in (x == 3).cumsum(0), in x.shape[1], and in `x:
/// torch.Tensor`. Does not check which of them are free.
std::set<std::string> array_names(const Syntax& syntax);

}  // namespace vqscope::language
