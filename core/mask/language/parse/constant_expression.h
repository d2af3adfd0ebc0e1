// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/parse/syntax.h"

#include <optional>

namespace vqscope::language {

/// What an expression of integer literals alone comes to; nothing when it is something else or leaves 64 bits.
std::optional<Index> constant_of(const Syntax& syntax, ExpressionId id);

}  // namespace vqscope::language
