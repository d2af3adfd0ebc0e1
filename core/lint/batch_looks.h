// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/finding.h"
#include "core/mask/batch/mask_batch.h"

#include <stop_token>
#include <vector>

namespace vqscope {

/// What an overview of a batch says of one of its masks.
struct BatchLook {
  std::size_t group = 0;          ///< equal masks have the same; 0: as the first mask
  std::uint64_t differs = 0;      ///< cells that are not as in the first mask
  std::vector<Finding> findings;  ///< errors and warnings
};

/// [samples_checked, heads_checked]: each of the file's masks in place of that of `visibility`'s
/// `values`, checked together with the values of lint_parameters() that are set. Empty after a
/// stop.
std::vector<BatchLook> batch_looks(const MaskBatch& batch, const ParameterValues& values, const ParameterValues& stated,
                                   const std::stop_token& stop);

}  // namespace vqscope
