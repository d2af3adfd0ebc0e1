// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/batch/batch_looks.h"
#include "core/session/batch/batch_choice.h"

#include <memory>
#include <optional>
#include <string>

namespace vqscope {

/// What the mask of each sample is made of.
struct SampleCases {
  std::shared_ptr<const SampleBatch> batch;
  SampleValues values;
};

/// All samples and heads of the file of which one is shown.
struct BatchOverview {
  Index samples = 1;
  Index heads = 1;
  Index sample = 0;                                    ///< shown
  Index head = 0;                                      ///< shown
  std::shared_ptr<const BatchLooks> looks = nullptr;   ///< null: they are not checked yet
  std::string problem = {};                            ///< why they cannot be checked
  std::shared_ptr<const SampleCases> cases = nullptr;  ///< null: the others are not read
  BatchChoice choice = {};                             ///< of the file

  friend bool operator==(const BatchOverview&, const BatchOverview&) = default;
  /// The values without what the file gives; nothing: they are not of a file of several samples.
  std::optional<SampleValues> beside(const SampleValues& shown) const {
    return cases ? std::optional(beside_batch(shown, *cases->batch)) : std::nullopt;
  }
  /// Whether a finding of all samples is one of the sample that is shown.
  bool is_shown(const Finding& finding) const {
    return (!finding.batch || *finding.batch == sample) && (!finding.head || *finding.head == head);
  }
};

}  // namespace vqscope
