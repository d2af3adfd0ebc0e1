// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/memory/memory_setting.h"

namespace vqscope {

/// Setting of the experiments with retrieval.
struct RetrievalSetting {
  MemorySetting memory;
  RetrievalOptions options;
};

/// memory_parameters with memory_len, top_k, search, mixing and gate.
std::vector<ParameterSpec> retrieval_parameters();

/// Reads them; without `numbers`, only the sizes of tensors.
Result<RetrievalSetting> retrieval_setting(const ParameterValues& values, bool numbers = true);

/// Refuses what check_memory refuses, and top_k above memory_len.
Result<void> check_retrieval_values(const ParameterValues& values);

Citation retrieval_citation();

}  // namespace vqscope
