// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/batch/sample_values.h"
#include "core/lint/lint.h"

#include <stop_token>
#include <vector>

namespace vqscope {

/// What an overview of a batch says of one of its samples and heads.
struct BatchLook {
  std::size_t group = 0;          ///< equal ones have the same; 0: as the first
  std::uint64_t differs = 0;      ///< cells of the mask that are not as in the first
  std::vector<Finding> findings;  ///< errors and warnings
};

/// Of the finding of a sample whose values do not fit it, which no rule has.
inline constexpr const char* unchecked_rule = "not_checked";

struct BatchLooks {
  std::vector<BatchLook> all = {};  ///< [samples, heads]; empty after a stop
  LintReport report = {};           ///< of all together: see joined_reports()
};

/// One sample and head in place of the one that `values` have, checked with what `stated` expects if
/// that is not empty. Refuses a sample that is padding alone, and values that do not fit it.
Result<LintCase> case_of_sample(const SampleBatch& batch, const SampleValues& values, Index sample, Index head);

/// Every sample and head in place of the one that `values` have, checked with what `stated` expects
/// if that is not empty. Equal ones are checked once.
BatchLooks batch_looks(const SampleBatch& batch, const SampleValues& values, const std::stop_token& stop);

}  // namespace vqscope
