// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/curve_set.h"

#include <string>

namespace vqscope {

/// For losses or passkeys by codebook size: how many codewords each model needs, and what its cache changes.
std::string codeword_verdict(const CurveSet& curves);

/// For tokens per second by length: the time of a token with each model, and how it grows.
std::string token_cost_verdict(const CurveSet& curves);

}  // namespace vqscope
