// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/lint/fix/suggestion.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// A question is not a finding: the rule needs something that is not set.
enum class Severity { error, warning, question };

/// One way in which a case breaks a rule.
struct Finding {
  std::string rule;  ///< id
  Severity severity = Severity::error;
  std::optional<Index> row;  ///< of the smallest counterexample: by row, then by key
  std::optional<Index> key;
  std::string sentence;     ///< with its numbers, the counterexample first
  std::uint64_t count = 1;  ///< exact number of cells, rows or tokens that break the rule
  std::string unit;         ///< of `count`: "cells", "rows", "tokens"; empty where nothing is counted
  std::vector<Range> rows;  ///< queries that break the rule, sorted, unless cells do

  std::optional<Index> batch = {};  ///< the sample of a batch; nothing: all, or there is no batch
  std::optional<Index> head = {};   ///< the head of a batch; nothing: all, or there is one

  std::vector<Suggestion> suggestions = {};  ///< of a question: ways to answer it, the likeliest first
};

/// One row of the table.
struct LintRuleInfo {
  std::string id;
  std::string title;
  std::string checks;  ///< one sentence: what must hold
  std::string source;
};

}  // namespace vqscope
