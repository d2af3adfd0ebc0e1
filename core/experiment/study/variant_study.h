// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"
#include "core/experiment/study/extrapolation_variants.h"
#include "core/experiment/study/trained_model.h"
#include "core/experiment/training/training_data.h"

#include <functional>

namespace vqscope {

/// What follows each training: some steps on longer sequences, with what the variant changes at test in force.
struct FineTuning {
  Index steps = 0;     ///< 0: there is none
  Index multiple = 1;  ///< of the training length
  Index rows = 1;
  std::function<TrainingData(std::uint64_t seed)> data = {};
};

/// What the chosen variants are trained on and tested with, the same for all.
struct VariantStudy {
  ParameterValues values;  ///< of extrapolation_parameters; train_length: tokens of the longest training sequence
  Index vocabulary = 0;
  std::string data;  ///< tells these batches and tests apart from those of other studies
  std::function<TrainingData(std::uint64_t seed)> training;
  std::vector<Index> lengths;  ///< of the sequences of each test, in tokens
  std::function<Result<TokenBatch>(std::size_t test)> test;
  TestMeasure measure = nullptr;
  FineTuning tuning = {};
  double failed = 0;  ///< stands for the measure of a training whose loss was not finite
  /// Told of every training of a chosen variant, one at a time; empty: nobody asks.
  std::function<void(std::size_t variant, std::size_t seed, const TrainedModel&)> trained = {};

  Index train_length() const { return values.integer("train_length"); }
  Index longest() const;  ///< of training and tests
};

/// By chosen variant, seed and test; NaN where they are not measured yet.
using VariantMeasures = std::vector<std::vector<std::vector<double>>>;

/// Every training that the chosen variants need and `models` does not have, once for each seed, several at a time, each
/// on one thread: the numbers do not depend on how many. `measured` is told after each, one at a time.
Result<VariantMeasures> run_study(const VariantStudy& study, const Work& work,
                                  const std::function<void(const VariantMeasures&)>& measured,
                                  TrainedModels& models = TrainedModels::shared());

/// The config that a chosen variant is trained with.
TransformerConfig trained_config(const VariantStudy& study, const ExtrapolationVariant& variant);

/// Refuses no models, sizes that do not fit each other, and trainings that need too much memory.
Result<void> check_study(const VariantStudy& study);

}  // namespace vqscope
