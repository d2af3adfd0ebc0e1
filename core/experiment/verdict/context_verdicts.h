// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/curve_set.h"

#include <string>

namespace vqscope {

/// What systems for long contexts read, and with how little memory: one sentence for each picture of
/// long_context_costs.
std::string context_verdict(const CurveSet& curves);

}  // namespace vqscope
