// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/forms/attention_input.h"

#include <algorithm>

namespace vqscope {

Index explicit_blocks(const LocalBias& bias, const AttentionOptions& options) {
  const Index window = options.near_window.value_or(bias.window);
  const Index reached = bias.none() ? 0 : window / options.block_len + (window % options.block_len != 0 ? 1 : 0);
  return options.agg_cache ? reached : std::max<Index>(reached, 1);
}

}  // namespace vqscope
