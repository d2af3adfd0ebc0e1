// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// A model's logits, losses and gradients, or its parameters after some steps of AdamW, for a
/// config, weights and inputs in files, for comparison with another framework.
Method model_gradients_method();

}  // namespace vqscope
