// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"
#include "core/mask/language/parse/syntax.h"

#include <optional>
#include <string>

namespace vqscope::language {

/// The value of an expression of only integer literals; empty if it is something else or does not
/// fit in 64 bits.
std::optional<Index> constant_of(const Syntax& syntax, ExpressionId id);

/// The value of an integer as Python writes it: 512, 1_024, 0x1f, 0o17, 0b101. With a preceding
/// minus sign, which is not in `digits`, the value is negative and may be the lowest 64-bit
/// integer.
Result<Index> integer_literal(const std::string& digits, bool negative = false);

}  // namespace vqscope::language
