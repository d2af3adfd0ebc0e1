// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// A question is no finding: the rule needs to know something that nobody said.
enum class Severity { error, warning, question };

/// One way in which a case breaks a rule.
struct Finding {
  std::string rule;  ///< id
  Severity severity = Severity::error;
  std::optional<Index> row;  ///< of the smallest counterexample: first the row, then the key
  std::optional<Index> key;
  std::string sentence;     ///< with the numbers in it, the counterexample first
  std::uint64_t count = 1;  ///< cells, rows or tokens that break the rule, exactly
  std::string unit;         ///< of `count`: "cells", "rows", "tokens"; empty where nothing is counted
  std::vector<Range> rows;  ///< queries that break it, sorted, where that is no matter of cells
};

/// One row of the table.
struct ContractRuleInfo {
  std::string id;
  std::string title;
  std::string checks;  ///< one sentence: what must hold
  std::string source;
};

}  // namespace vqscope
