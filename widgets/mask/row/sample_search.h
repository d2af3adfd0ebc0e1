// SPDX-License-Identifier: GPL-3.0-or-later
// Searches for rows through all samples and heads of a file.
#pragma once

#include "core/base/result.h"
#include "core/lint/lint_rows.h"
#include "core/mask/mask.h"
#include "widgets/view/matrix_view.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace vqscope {

enum class RowGoal { empty, differs, rule };

/// The next row that breaks a rule, after or before a row; called on another thread.
using RuleSearch =
    std::function<Result<std::optional<BrokenRow>>(Index from, bool forwards, const std::stop_token& stop)>;

struct SearchedMask {
  std::shared_ptr<const Mask> mask;
  RuleSearch rules;  ///< empty: the mask is not checked
};

/// The rows of a checked mask that break a rule.
RuleSearch rule_search(std::shared_ptr<const LintCase> given);

/// The samples and heads among which the shown mask is one.
struct SearchedSamples {
  Index samples = 1;
  Index heads = 1;
  Index sample = 0;  ///< shown
  Index head = 0;    ///< shown
  /// Makes the mask of another sample and head; called on another thread. Empty: they are not read.
  std::function<Result<SearchedMask>(Index sample, Index head)> make = {};
  std::vector<std::size_t> groups = {};  ///< [samples, heads]: equal masks have the same; may be empty

  Index count() const { return samples * heads; }
  Index shown() const { return sample * heads + head; }
};

struct RowSearchRequest {
  RowGoal goal = RowGoal::empty;
  bool forwards = true;
  Cell from;
  SearchedMask shown;
  std::shared_ptr<const Mask> second;  ///< the goal `differs` compares with it; null: with the row before
  SearchedSamples samples = {};
};

struct FoundRow {
  Index place = 0;  ///< sample * heads + head
  BrokenRow row;
  bool wrapped = false;  ///< beyond the last or first of all rows, from where the search went on at the other end
};

/// The next row, or the next run of differing keys, of the shown mask; then those of the other samples
/// and heads in their order, around to where the search began. A sample that cannot be made, such as
/// padding alone, is passed over.
Result<std::optional<FoundRow>> find_row(const RowSearchRequest& request, const std::stop_token& stop);

}  // namespace vqscope
