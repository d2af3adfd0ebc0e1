// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `attention_odds`: how many times more weight the nearer of two keys has than the farther one, from a bias and a
/// given difference of their scores.
Method attention_odds_method();

}  // namespace vqscope
