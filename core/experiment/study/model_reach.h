// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/task.h"
#include "core/model/config/transformer_config.h"

#include <optional>

namespace vqscope {

/// How many tokens back a token can depend on through all layers: of a window, and of VQ attention
/// without a cache. Nothing: no distance limits it.
std::optional<Index> model_reach(const TransformerConfig& config);

/// How many tokens back the answer is at least in the largest problems of training. Nothing: not the
/// same for all answers.
std::optional<Index> needed_reach(Task task);

/// Both numbers, for a model that cannot solve the task, however long it is trained.
struct ShortReach {
  Index reach = 0;
  Index needed = 0;
};
std::optional<ShortReach> short_reach(const TransformerConfig& config, Task task);

}  // namespace vqscope
