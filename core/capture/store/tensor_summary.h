// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/store/capture.h"

#include <stop_token>

namespace vqscope {

/// The numbers of a tensor of a capture in a few.
struct TensorSummary {
  double rms = 0;         ///< of those that are finite
  double largest = 0;     ///< |x| of those that are finite
  Index not_numbers = 0;  ///< NaN
  Index infinities = 0;
  std::optional<float> constant;  ///< what all of them are
  std::string order;              ///< "[B, T, H, d]": how its axes are read; empty: no way is known
};

/// Reads the tensor once, in blocks; Errc::cancelled on a stop.
Result<TensorSummary> summary_of_tensor(const Capture& capture, Index layer, TensorRole role,
                                        const std::stop_token& stop);

}  // namespace vqscope
