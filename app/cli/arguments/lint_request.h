// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the commands that check a mask against an expected mask.
#pragma once

#include "app/cli/arguments/option_table.h"
#include "core/io/bytes/path_text.h"
#include "core/lint/lint_case.h"
#include "core/output/export_request.h"

#include <string>
#include <vector>

namespace vqscope {

/// `--objective X` is `--set objective=X`.
template <class Arguments>
Option<Arguments> statedOption(const char* option, const char* value, const char* name, const char* help) {
  return {{option, value, help}, [name](Arguments& arguments, const std::string& given) -> Result<void> {
            arguments.settings.push_back({.name = name, .value = given, .stated = true});
            return {};
          }};
}

/// Ids of all rules, and the objectives, with spaces between them.
std::string ruleChoices();
std::string objectiveChoices();

/// Adds the id of a rule, unless there is no such rule.
Result<void> addRule(std::vector<std::string>& rules, const std::string& id);

template <class Arguments>
Option<Arguments> ruleOption() {
  return {{"--rule", "ID", "check this rule alone; may be repeated", false, ruleChoices()},
          [](Arguments& arguments, const std::string& id) { return addRule(arguments.rules, id); }};
}

/// methodOptions(), --objective, --window and --prefix.
template <class Arguments>
OptionTable<Arguments> lintOptions() {
  auto table = methodOptions<Arguments>(
      {.set = "a parameter of the mask (vqscope list visibility) or of the expected mask (window_left, window_right, "
              "chunk, "
              "sinks, past_len, labels_are, dialect, dtype, masked_value ...); may be repeated",
       .array = "attention_mask, position_ids, labels, span_ids, cache_positions, cu_seqlens or another list of [T] or "
                "[B, T]: numbers, or FILE or FILE:NAME",
       .session = "start from the mask and the expected mask of a session"});
  table.push_back(statedOption<Arguments>("--objective", "NAME", "objective",
                                          "causal, prefix, causal_spans, block_causal, chunked, bidirectional or "
                                          "cross; if not given, the objective of the mask"));
  table.back().choices = objectiveChoices();
  table.push_back(statedOption<Arguments>(
      "--window", "N", "window", "largest number of keys that a query may see, its own included; 0: no window"));
  table.push_back(statedOption<Arguments>("--prefix", "N", "prefix_length",
                                          "number of leading positions expected to be bidirectional, for any mask"));
  return table;
}

/// A mask with the values of lint_parameters() that state what it is expected to be.
struct StatedRequest {
  ExportRequest request;
  ParameterValues stated;
};
Result<StatedRequest> statedRequest(const MethodArguments& arguments);

/// The mask and the expected mask: values of the session first, then settings, which can set
/// either.
Result<LintCase> lintRequest(const StatedRequest& mask);

}  // namespace vqscope
