// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <memory>
#include <stop_token>

namespace vqscope {

class Mask;
struct Recognition;

/// The result of recognise() for a mask, computed on first use and kept. Shared by copies; thread-safe.
class KeptRecognition {
 public:
  KeptRecognition();

  /// Null where nothing is found within `most_steps`, or after a stop. A mask other than the last one is recognised
  /// anew, and so is one whose search ended early, once there are more steps for it.
  std::shared_ptr<const Recognition> of(const std::shared_ptr<const Mask>& mask, Index most_steps,
                                        const std::stop_token& stop = {}) const;

 private:
  struct State;
  std::shared_ptr<State> m_state;
};

}  // namespace vqscope
