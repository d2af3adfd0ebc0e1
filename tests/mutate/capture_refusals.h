// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/heads/captured_heads.h"
#include "core/capture/rope/rope_of_capture.h"
#include "core/capture/rules/capture_rules.h"
#include "core/capture/store/tensor_summary.h"

#include <string>
#include <vector>

namespace vqscope::mutate {

/// What all that reads one capture says where it refuses.
inline std::vector<std::string> capture_refusals(const Capture& capture) {
  std::vector<std::string> all;
  const auto add = [&](const auto& result) {
    if (!result) all.push_back(result.error().message);
  };
  for (const auto& [layer, tensors] : capture.layers) {
    add(which_rope_of_capture(capture, layer, 0));
    for (const auto& [role, tensor] : tensors) add(summary_of_tensor(capture, layer, role, {}));
  }
  add(heads_of(capture, {}, 0, 16, {}));
  add(check_capture(capture, {}));
  return all;
}

}  // namespace vqscope::mutate
