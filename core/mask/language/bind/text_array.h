// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/mask/language/code/bound_array.h"
#include "core/mask/language/code/code.h"

#include <span>

namespace vqscope::language {

/// The values of an array that the text itself says: a literal, or one made of `before`, the arrays that stand before
/// it. A count is that of the values below i, or up to i, for each i from 0; the values must not fall.
Result<ArrayPtr> array_of_text(const ArrayUse& use, std::span<const ArrayPtr> before);

}  // namespace vqscope::language
