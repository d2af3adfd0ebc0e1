// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"
#include "core/capture/parity/layer_pair.h"

namespace vqscope {

/// How far apart two tensors are.
struct TensorDifference {
  double max = 0;       ///< largest |B - A|
  double rms = 0;       ///< root mean square of B - A
  double relative = 0;  ///< rms over that of A
  double row = 0;       ///< of the row that differs most: its rms over the mean one of A
  double rms_a = 0;
  Index mismatches = 0;  ///< cells that are finite, or visible, on one side only
  double unit = 0;       ///< of the coarser type, or of what every number of one side is rounded to
  bool identical() const { return max == 0 && mismatches == 0; }
};

/// Streams both; memory is some MiB.
Result<TensorDifference> difference_of(const TensorPair& pair, const Work& work);

/// The first cell in C order that is further apart than `allowed` times the size of its own row and
/// of A's mean, with both numbers.
struct DifferingCell {
  std::array<Index, 4> at{};
  double a = 0, b = 0;
};
Result<std::optional<DifferingCell>> first_difference(const TensorPair& pair, double allowed, double rms_a,
                                                      const Work& work);

}  // namespace vqscope
