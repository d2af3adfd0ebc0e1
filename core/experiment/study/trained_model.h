// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/token_batch.h"
#include "core/model/tensors/parameter_layout.h"
#include "core/model/train/trainer.h"

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace vqscope {

/// Result of a test of a model.
struct Measured {
  double value = 0;
  std::vector<double> cache_shares = {};  ///< context_loss: as in Losses

  friend bool operator==(const Measured&, const Measured&) = default;
};

/// How well a model does on a batch: forward only, some rows at a time, on one thread; long ones in segments if the
/// state of attention is bounded. `positions` is empty, or has the shape of the batch's tokens.
using TestMeasure = Result<Measured> (*)(const TransformerConfig& config, const Parameters<float>& parameters,
                                         const TokenBatch& batch, std::span<const std::int32_t> positions,
                                         const std::stop_token& stop);

/// Bytes that a test at a length takes at a time, next to its batch. `positions`: whether it has positions of its own.
double test_bytes(const TransformerConfig& config, const ParameterLayout& layout, Index length, bool positions);

/// The mean loss, in nats, over the counted labels.
Result<Measured> context_loss(const TransformerConfig& config, const Parameters<float>& parameters,
                              const TokenBatch& batch, std::span<const std::int32_t> positions,
                              const std::stop_token& stop);

/// The fraction of rows in which every counted label is the token with the largest logit, given the
/// true tokens before it: those that greedy decoding answers correctly.
Result<Measured> exact_match(const TransformerConfig& config, const Parameters<float>& parameters,
                             const TokenBatch& batch, std::span<const std::int32_t> positions,
                             const std::stop_token& stop);

/// The fraction of counted labels that are the token with the largest logit, given the true tokens
/// before.
Result<Measured> token_accuracy(const TransformerConfig& config, const Parameters<float>& parameters,
                                const TokenBatch& batch, std::span<const std::int32_t> positions,
                                const std::stop_token& stop);

/// Everything that determines the weights after a training.
struct TrainingKey {
  TransformerConfig config;
  std::string data;  ///< distinguishes the batches of a seed from those of other data
  Index steps = 0;
  Index rows = 0;
  double lr_max = 0;
  std::uint64_t seed = 0;
  Index positions_below = 0;  ///< bound of random positions; 0: none
  OptimiserKind optimiser = OptimiserKind::adamw;
  double dropout = 0;
  double layerdrop = 0;
  Index bptt_len = 0;
  TransformerConfig before = {};  ///< fine-tuned: the config of the first training
  Index tuning_steps = 0;         ///< 0: not fine-tuned

  friend bool operator==(const TrainingKey&, const TrainingKey&) = default;
};

/// Everything that determines a number measured on those weights.
struct TestKey {
  TransformerConfig config;
  std::string data;
  Index length = 0;
  TestMeasure measure = nullptr;

  friend bool operator==(const TestKey&, const TestKey&) = default;
};

/// Record of a training.
struct TrainingTrace {
  std::vector<TrainingStep> steps;
  double seconds_per_step = 0;  ///< the median
};

/// The weights after a training, and the measures taken so far. Thread-safe.
class TrainedModel {
 public:
  /// Empty `parameters`: the training's loss was not finite.
  TrainedModel(std::optional<Parameters<float>> parameters, TrainingTrace trace)
      : m_parameters(std::move(parameters)), m_trace(std::move(trace)) {}

  const std::optional<Parameters<float>>& parameters() const { return m_parameters; }
  const TrainingTrace& trace() const { return m_trace; }

  std::optional<Measured> measured(const TestKey& key) const;
  void keep(TestKey key, Measured measured) const;

 private:
  std::optional<Parameters<float>> m_parameters;
  TrainingTrace m_trace;
  mutable std::mutex m_mutex;
  mutable std::vector<std::pair<TestKey, Measured>> m_measured;
};

/// The latest trainings, up to 128 MiB of weights, so that another view of them or an additional
/// model does not train all of them again. Thread-safe.
class TrainedModels {
 public:
  using Model = std::shared_ptr<const TrainedModel>;

  Model find(const TrainingKey& key) const;
  void keep(TrainingKey key, Model model);

  /// The trainings of this process.
  static TrainedModels& shared();

 private:
  mutable std::mutex m_mutex;
  std::deque<std::pair<TrainingKey, Model>> m_models;  ///< the latest first
};

}  // namespace vqscope
