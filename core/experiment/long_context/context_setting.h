// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/experiment/long_context/context_systems.h"
#include "core/experiment/long_context/context_task.h"
#include "core/experiment/memory/memory_setting.h"
#include "core/method/parameter.h"

#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// The values of long_context_costs.
struct ContextSetting {
  std::string quantity;
  MemorySetting memory;
  ContextSizes sizes;
  TaskSizes task;
  std::vector<ContextSystemInfo> systems;
  std::vector<ContextTask> tasks;   ///< chosen ones; full_attention alone for own tensors
  std::optional<double> sharpness;  ///< empty: fitted

  /// Whether the x are tasks.
  bool compares_tasks() const { return quantity == "error" && tasks.size() > 1; }
  /// Error against `bytes` or `operations`; empty: the quantity is no such picture.
  std::string cost() const;
  bool needs_tokens() const { return quantity.starts_with("error") || quantity == "seconds"; }
  /// Maximum number of tokens that fit in the memory for them.
  Index most_computed() const;
};

std::vector<ParameterSpec> context_parameters();
/// Without `numbers`, only the sizes of tensors are read.
Result<ContextSetting> context_setting(const ParameterValues& values, bool numbers);
Result<void> check_context(const ParameterValues& values);

}  // namespace vqscope
