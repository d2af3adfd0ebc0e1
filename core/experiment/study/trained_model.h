// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/study/test_measures.h"
#include "core/model/train/trainer.h"

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// Everything that the weights after a training follow from.
struct TrainingKey {
  TransformerConfig config;
  std::string data;  ///< tells the batches of a seed apart from those of other data
  Index steps = 0;
  Index rows = 0;
  double lr_max = 0;
  std::uint64_t seed = 0;
  Index positions_below = 0;  ///< random ones; 0: none
  OptimiserKind optimiser = OptimiserKind::adamw;
  double dropout = 0;
  double layerdrop = 0;
  TransformerConfig before = {};  ///< fine-tuned: what the first training had
  Index tuning_steps = 0;         ///< 0: not fine-tuned

  friend bool operator==(const TrainingKey&, const TrainingKey&) = default;
};

/// Everything that a number measured of those weights follows from.
struct TestKey {
  TransformerConfig config;
  std::string data;
  Index length = 0;
  TestMeasure measure = nullptr;

  friend bool operator==(const TestKey&, const TestKey&) = default;
};

/// What a training was like.
struct TrainingTrace {
  std::vector<TrainingStep> steps;
  double seconds_per_step = 0;  ///< the median
};

/// The weights after a training, and what was measured of them so far. Any thread may ask.
class TrainedModel {
 public:
  /// No parameters: the training's loss was not finite.
  TrainedModel(std::optional<Parameters<float>> parameters, TrainingTrace trace)
      : m_parameters(std::move(parameters)), m_trace(std::move(trace)) {}

  const std::optional<Parameters<float>>& parameters() const { return m_parameters; }
  const TrainingTrace& trace() const { return m_trace; }

  std::optional<double> measured(const TestKey& key) const;
  void keep(TestKey key, double value) const;

 private:
  std::optional<Parameters<float>> m_parameters;
  TrainingTrace m_trace;
  mutable std::mutex m_mutex;
  mutable std::vector<std::pair<TestKey, double>> m_measured;
};

/// The latest trainings, so that whoever looks at them in another way, or adds one, does not train all again: up to
/// 128 MiB of weights. Any thread may ask.
class TrainedModels {
 public:
  using Model = std::shared_ptr<const TrainedModel>;

  Model find(const TrainingKey& key) const;
  void keep(TrainingKey key, Model model);

  /// Those of this process.
  static TrainedModels& shared();

 private:
  mutable std::mutex m_mutex;
  std::deque<std::pair<TrainingKey, Model>> m_models;  ///< the latest first
};

}  // namespace vqscope
