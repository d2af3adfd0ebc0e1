// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `xl_reach`: what a token of Transformer-XL sees in one layer, reads through all of them and learns from.
Method xl_reach_method();

/// A run over tensors that the user supplies: exact attention, or attention with vector-quantised
/// keys.
Method vq_attention_method();

/// `xl_costs`: scores, operations and memory of Transformer-XL compared with full attention, by the
/// number of tokens.
Method xl_costs_method();

/// `xl_gradient_paths`: these counts by the number of tokens.
Method xl_gradient_paths_method();

}  // namespace vqscope
