// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/tensor/safetensors_writer.h"
#include "core/model/pass/transformer_pass.h"
#include "core/model/tensors/named_tensors.h"
#include "core/model/train/optimiser.h"

#include <map>
#include <optional>
#include <tuple>

namespace vqscope {

enum class OptimiserKind { adamw, adafactor };

struct TrainerOptions {
  OptimiserKind optimiser = OptimiserKind::adamw;
  AdamWOptions adamw = {};
  AdafactorOptions adafactor = {};
  LearningRate rate = {};
  double dropout = 0;  ///< as in TrainingNoise
  double layerdrop = 0;
  std::uint64_t seed = 0;  ///< of both
  /// Truncated backpropagation (Lingle 2023, section 3.4): tokens of a step's window, a multiple of block_len; 0: a
  /// step takes whole sequences. For VQ attention.
  Index bptt_len = 0;
};

struct TrainingStep {
  Index step = 0;  ///< counted from 1
  Losses losses;   ///< of the batch, before the weights change
  double learning_rate = 0;
  double gradient_norm = 0;
  std::vector<double> used_codes = {};  ///< of the batch, by layer: TransformerPass::used_codes
  Index tokens = 0;                     ///< of the batch, or of its window
};

/// Trains the parameters of a model batch by batch. The result depends on the batches alone, not on
/// the number of threads, nor on whether training was saved and resumed in between.
template <class Real>
class Trainer {
 public:
  /// The config has passed its check; `parameters` are of its layout.
  Trainer(const TransformerConfig& config, Parameters<Real> parameters, const TrainerOptions& options);

  Trainer(const Trainer&) = delete;  // its passes refer to its config
  Trainer& operator=(const Trainer&) = delete;

  /// Runs forward, backward and a step of the optimiser, and updates the codebooks' moving
  /// averages. If the loss or the gradient is not finite, training is over: parameters() returns
  /// the last ones with which both were finite, and the error names the step. If cancelled, nothing
  /// changes.
  ///
  /// With bptt_len, one window of the batch: the same batch is given windows() times, and then the next. Each window
  /// begins with the state of attention that the one before it left, a constant for the gradient.
  Result<TrainingStep> step(const Batch& batch, int threads, const std::stop_token& stop = {});

  /// Steps that a batch of such sequences takes.
  Index windows(Index length) const {
    return m_options.bptt_len > 0 ? (length + m_options.bptt_len - 1) / m_options.bptt_len : 1;
  }

  const TransformerConfig& config() const { return m_config; }
  const Parameters<Real>& parameters() const { return m_parameters; }
  Index steps() const { return m_optimiser->steps(); }
  /// Why training is over; empty: it is not.
  const std::string& failure() const { return m_failure; }

  /// Every parameter by its name.
  std::vector<NamedTensor> weights() const;
  /// The weights, the optimiser's averages optimizer.*, and optimizer.steps.
  std::vector<NamedTensor> state() const;
  /// Resumes from state() in a file. Errors name the tensor that is missing or does not match.
  Result<void> resume(const NamedTensors& file);

 private:
  using Pass = TransformerPass<Real>;
  Result<Pass*> pass_for(const Batch& batch, Index carried);
  Result<TrainingStep> step_of(const Batch& batch, std::optional<CarriedState<Real>> state, int threads,
                               const std::stop_token& stop);
  Error end(const std::string& what, double value);

  TransformerConfig m_config;
  TrainerOptions m_options;
  Parameters<Real> m_parameters;
  Parameters<Real> m_good;  ///< parameters before the last step with a finite loss and gradient
  Parameters<Real> m_gradient;
  std::unique_ptr<Optimiser<Real>> m_optimiser;
  std::string m_failure;
  std::optional<CarriedState<Real>> m_carried;                                      ///< bptt_len: after the last step
  std::map<std::tuple<Index, Index, Keep, Index>, std::unique_ptr<Pass>> m_passes;  ///< by arguments of create()
};

}  // namespace vqscope
