// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/mask/language/code/bound_array.h"
#include "core/mask/language/code/code.h"

#include <span>

namespace vqscope::language {

/// The values of an array that the text itself defines: a literal, or an array computed from one of
/// `before`, the arrays before it. A count has, for each i from 0, the number of values below i, or
/// up to i; the values must not decrease.
Result<ArrayPtr> array_of_text(const ArrayUse& use, std::span<const ArrayPtr> before);

}  // namespace vqscope::language
