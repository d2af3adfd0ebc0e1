// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `xl_reach`: what a token of Transformer-XL sees in one layer, reads through all of them and learns from.
Method xl_reach_method();

}  // namespace vqscope
