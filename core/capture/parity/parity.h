// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/parity/capture_comparison.h"
#include "core/capture/parity/cause_texts.h"
#include "core/capture/parity/cause_trial.h"

#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// Two captures, what they differ in, and why.
struct Parity {
  CaptureComparison comparison;
  std::optional<Index> pair;             ///< of RoPE, where a rotated vector differs first
  std::optional<TriedCause> cause;       ///< explains 0.9 or more, or says where to look
  std::string sentence;                  ///< the answer in one sentence
  std::vector<TriedCause> alternatives;  ///< the best first
  std::vector<std::string> undetermined;
  std::string look_at;  ///< the row of the first difference, as `vqscope row` counts; may be empty
};

Result<Parity> parity_of(const Capture& a, const Capture& b, const Work& work,
                         const std::function<void(const FirstDifference&)>& found = {});

/// "layer 3, out, head 2, query 17, channel 5: 0.113 in A, 0.094 in B"
std::string place_text(const FirstDifference& first);
/// As `parity --json` prints it.
JsonObject parity_json(const Parity& parity);

/// A window of another size or none at one layer: whether it is told to other layers instead.
std::optional<TriedCause> moved_windows(const Capture& a, const Capture& b, const CaptureComparison& comparison,
                                        const TriedCause& found);

}  // namespace vqscope
