// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"

#include <functional>
#include <string>

namespace vqscope {

/// Text that a model generates, in the characters of its data.
struct TextSample {
  std::string given;     ///< the start of a sequence
  std::string written;   ///< by the model after it
  std::string expected;  ///< empty: any continuation would do
  friend bool operator==(const TextSample&, const TextSample&) = default;
};

/// Report of a training after each step.
struct TrainingProgress {
  std::string training;   ///< which one, if there are several: "rope, seed 1"
  std::string model;      ///< what its seeds share: "rope"
  std::size_t place = 0;  ///< of the model among all
  Index step = 0;         ///< number of the step, from 1
  Index steps = 0;        ///< of the whole training
  Index tokens = 0;       ///< of the step's batch
  double loss = 0;        ///< of the step's batch, nats per token
  /// Lets the model write with its weights of now. Valid until the listener returns; takes a few milliseconds.
  std::function<Result<TextSample>()> sample;
};

}  // namespace vqscope
