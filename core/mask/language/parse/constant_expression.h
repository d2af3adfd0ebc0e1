// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/parse/syntax.h"

#include <optional>

namespace vqscope::language {

/// The value of an expression of only integer literals; empty if it is something else or does not
/// fit in 64 bits.
std::optional<Index> constant_of(const Syntax& syntax, ExpressionId id);

}  // namespace vqscope::language
