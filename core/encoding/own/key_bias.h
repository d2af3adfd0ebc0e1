// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `key_bias`: attention weights of one query with and without a bias added to every key, with and without RoPE (Su
/// 2023, kexue.fm 9577). Softmax cancels the bias unless keys are rotated.
Method key_bias_method();

}  // namespace vqscope
