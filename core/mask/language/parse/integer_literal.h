// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"

#include <string>

namespace vqscope::language {

/// The value of an integer as Python writes it: 512, 1_024, 0x1f, 0o17, 0b101. With a minus sign before it, which
/// `digits` does not have, the value is below 0 and may be the lowest of 64 bits.
Result<Index> integer_literal(const std::string& digits, bool negative = false);

}  // namespace vqscope::language
