// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"
#include "core/experiment/measure/measured_time.h"
#include "core/experiment/study/trained_model.h"
#include "core/experiment/training/training_data.h"
#include "core/method/parameter.h"
#include "core/model/config/transformer_config.h"

#include <functional>
#include <limits>
#include <span>

namespace vqscope {

/// A model and how it is changed beyond its training length. Variants that differ only in the
/// latter share a training.
struct ExtrapolationVariant {
  std::string id;
  std::string name;  ///< in sentences: "ALiBi"
  std::string help;
  std::string training;  ///< the id whose training it uses
  std::function<void(const ParameterValues&, TransformerConfig&)> train;
  /// Turns the config of training into that at `multiple` training lengths; null: no change.
  std::function<void(const ParameterValues&, double multiple, TransformerConfig&)> test = {};
  bool random_positions = false;  ///< sorted random positions below the longest length, in training and at test
  bool listed = true;             ///< whether `models` has its id
  std::string model = {};         ///< VQ without its cache: the id of the model with it; empty: none
  std::string cache = "with";     ///< VQ: its choice of vq_cache

  bool quantises() const { return training.starts_with("vq"); }
};

std::span<const ExtrapolationVariant> extrapolation_variants();

/// Its name in sentences; other ids stay as they are.
std::string variant_name(const std::string& id);

/// `models`, and the parameters of some variants.
std::vector<ParameterSpec> variant_parameters();

/// The variants of `models`, those of VQ attention as `vq_cache` says, in the order of the list.
std::vector<ExtrapolationVariant> chosen_variants(const ParameterValues& values);

/// Fine-tuning after each training: some steps on longer sequences with the variant's changes at
/// test.
struct FineTuning {
  Index steps = 0;     ///< 0: no fine-tuning
  Index multiple = 1;  ///< of the training length
  Index rows = 1;
  std::function<TrainingData(std::uint64_t seed)> data = {};
};

/// Training data and tests, the same for all chosen variants.
struct VariantStudy {
  ParameterValues values;  ///< of extrapolation_parameters; train_length: longest training sequence in tokens
  Index vocabulary = 0;
  std::string data;  ///< distinguishes these batches and tests from those of other studies
  std::function<TrainingData(std::uint64_t seed)> training;
  std::vector<Index> lengths;  ///< length of the sequences of each test, in tokens
  std::function<Result<TokenBatch>(std::size_t test)> test;
  std::function<std::string(std::size_t test)> test_name =
      {};                ///< distinguishes tests of one length; empty: there are none
  Index test_rows = 64;  ///< of a test, about
  /// A test that is expected to take longer on one core is skipped.
  double most_test_seconds = std::numeric_limits<double>::infinity();
  bool skips_trainings = false;  ///< one that needs too much memory is skipped unless all do; false: it is refused
  TestMeasure measure = nullptr;
  FineTuning tuning = {};
  Index bptt_len = 0;  ///< of the trainings of VQ attention, as in TrainerOptions
  double failed = 0;   ///< measure to report for a training whose loss was not finite
  /// Called for every test of a training, one at a time; may be empty.
  std::function<void(std::size_t variant, std::size_t seed, std::size_t test, const Measured&)> tested = {};
  /// Called for every training of a chosen variant, one at a time; may be empty.
  std::function<void(std::size_t variant, std::size_t seed, const TrainedModel&)> trained = {};

  Index train_length() const { return values.integer("train_length"); }
  Index longest() const;  ///< longest sequence of training and tests
};

/// By chosen variant, seed and test; NaN where not measured yet, or skipped.
using VariantMeasures = std::vector<std::vector<std::vector<double>>>;

/// Runs every training that the chosen variants need and `models` does not have, once for each
/// seed, several at a time, each on one thread. The numbers do not depend on how many run at a
/// time. Calls `measured` after each, one at a time.
Result<VariantMeasures> run_study(const VariantStudy& study, const Work& work,
                                  const std::function<void(const VariantMeasures&)>& measured,
                                  TrainedModels& models = TrainedModels::shared());

/// The config that a chosen variant is trained with.
TransformerConfig trained_config(const VariantStudy& study, const ExtrapolationVariant& variant);

/// The config that it is tested with at a length.
TransformerConfig tested_config(const VariantStudy& study, const ExtrapolationVariant& variant, Index length);

/// Whether a test of a variant takes longer than the study's limit, or it or the training more memory than all
/// trainings may.
Skipped skipped_test(const VariantStudy& study, const ExtrapolationVariant& variant, std::size_t test);
/// That limit of memory, as labels state it.
std::string most_study_memory();

/// Multiply-adds of all trainings and tests, divided by the number of trainings that run at a time.
double study_work(const VariantStudy& study);

/// Refuses an empty list of models, sizes that do not match, trainings that need too much memory, and a variant whose
/// first test is skipped.
Result<void> check_study(const VariantStudy& study);

}  // namespace vqscope
