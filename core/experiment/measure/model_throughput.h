// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/measure/measured_time.h"
#include "core/model/config/transformer_config.h"
#include "core/model/tensors/parameter_layout.h"

#include <memory>

namespace vqscope {

enum class ModelPass {
  training,   ///< forward, backward and a step of the optimiser
  evaluation  ///< forward, logits and loss
};

struct ModelTiming {
  Index rows = 1;  ///< sequences of a batch, which the threads share
  int threads = 1;
  Index repeats = 5;
  double most_seconds = 2;  ///< skips what is expected to take longer
  double most_bytes = 0;    ///< skips what needs more memory
  std::uint64_t seed = 0;   ///< of the weights and of the tokens
};

/// Seconds of one pass of a model in float32 over a batch of the synthetic language, at rising
/// lengths.
class ModelThroughput {
 public:
  /// `config` has passed its check and has a vocabulary of the synthetic language; `layout` is its own.
  ModelThroughput(TransformerConfig config, std::shared_ptr<const ParameterLayout> layout, ModelPass pass,
                  const ModelTiming& timing);

  /// Seconds for a batch of sequences of that length, which may be skipped.
  Result<Spread> at(Index length, const Work& work);

 private:
  double bytes(Index length) const;
  template <class Call>
  Result<Spread> measured(Index length, const Work& work, const Call& call);

  TransformerConfig m_config;
  std::shared_ptr<const ParameterLayout> m_layout;
  ModelPass m_pass;
  ModelTiming m_timing;
  RisingTimes m_times;
};

}  // namespace vqscope
