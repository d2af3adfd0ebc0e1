// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/study/model_reach.h"

#include <algorithm>

namespace vqscope {

std::optional<Index> model_reach(const TransformerConfig& config) {
  if (config.attn == AttentionKind::window) return config.attention_layers() * std::max<Index>(0, config.window - 1);
  if (config.quantises() && !config.cache) return config.attention_layers() * config.block_len;
  return std::nullopt;
}

std::optional<Index> needed_reach(Task task) {
  if (task != Task::passkey) return std::nullopt;
  // The separator after n tokens asks for the key, which is one of the first n / 4.
  const Index n = task_info(task).trained_size;
  return n + 1 - std::max<Index>(1, n / 4);
}

std::optional<ShortReach> short_reach(const TransformerConfig& config, Task task) {
  const auto reach = model_reach(config), needed = needed_reach(task);
  if (!reach || !needed || *reach >= *needed) return std::nullopt;
  return ShortReach{*reach, *needed};
}

}  // namespace vqscope
