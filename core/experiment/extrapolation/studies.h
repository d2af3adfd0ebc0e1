// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/extrapolation/corpus_study.h"
#include "core/experiment/study/variant_study.h"
#include "core/method/curve_set.h"
#include "core/method/parameter.h"

#include <optional>

namespace vqscope {

/// Training of a task: how long models take to learn it, as measured elsewhere.
struct TaskRecipe {
  Index steps = 0;
  Index rows = 0;
};
TaskRecipe task_recipe(Task task);

/// Sizes of the tested problems in symbols: N/2, N, and 1.25, 1.5, 2, 4, ... times N up to
/// `longest_multiple`, where N is the largest size in training.
std::vector<Index> tested_sizes(const ParameterValues& values);

Task chosen_task(const ParameterValues& values);

/// Models of one task, and the fraction of problems of each size that they answer correctly.
/// `values` are those of length_generalisation.
VariantStudy task_study(const ParameterValues& values);

/// Models of the synthetic language and their loss at each multiple of the training length: always
/// on the same last 32 tokens of 96 windows, while the context before them grows. `values` are
/// those of length_extrapolation.
VariantStudy language_study(const ParameterValues& values);

/// Names the trainings and phases of one of several studies apart from those of the others, whose
/// models have so many places.
Work named_work(Work work, const std::string& name, std::size_t places);

/// Loss minus that of the first test, by variant and seed.
VariantMeasures gaps_of(VariantMeasures losses);

/// One training of vq_model.
struct VqModelRun {
  double loss = 0;                ///< test loss in the unit of the data; NaN: not measured yet
  double answer_loss = no_value;  ///< of data with answers
  double solved = no_value;       ///< passkeys found in problems as large as in training
  double solved_far = no_value;   ///< the same, in problems passkey_multiple times as large
  TrainingTrace trace;
};

/// By codebook size, chosen variant and seed.
using VqModelRuns = std::vector<std::vector<std::vector<VqModelRun>>>;

/// Size of vq_model's passkey problems, in multiples of the largest in training.
inline constexpr Index passkey_multiple = 8;

/// Whether vq_model trains its models on passkeys.
bool finds_passkeys(const ParameterValues& values);

/// The codebook sizes that `values` select: powers of two from n_code_min to n_code_max, or
/// `model_n_code`.
std::vector<Index> codebook_sizes(const ParameterValues& values);

/// The study of one codebook size. Without `corpus` the study of a text has its sizes alone.
VariantStudy vq_model_study(const ParameterValues& values, Index n_code,
                            const std::shared_ptr<const Corpus>& corpus = {});

/// Full attention is trained once and used at every size. Calls `measured` after each training.
Result<VqModelRuns> run_vq_models(const ParameterValues& values, const StudyData& data, const Work& work,
                                  const std::function<void(const VqModelRuns&)>& measured);

std::vector<ParameterSpec> extrapolation_parameters();

/// 1, 2, 4, ... up to longest_multiple.
std::vector<Index> extrapolation_multiples(const ParameterValues& values);
/// Those times the training length.
std::vector<Index> context_lengths(const ParameterValues& values);

/// Measures of one variant: [seed][x], NaN where not measured yet.
using SeedMeasures = std::vector<std::vector<double>>;

/// The mean at one x over the seeds that are measured; NaN if there are none.
double mean_over_seeds(const SeedMeasures& measures, std::size_t x);

/// The y axis of such shares.
inline constexpr const char* cache_share_title = "share of attention on the cache";

/// Shares of attention on the cache, by chosen variant, seed, test and layer: empty where there is no cache, or nothing
/// measured yet.
class CacheShares {
 public:
  explicit CacheShares(const ParameterValues& values);

  /// Makes the study add what it measures; it must not outlive this.
  void follow(VariantStudy& study);
  /// Attention layers; 0 without a cache, or while nothing is measured.
  std::size_t layers(std::size_t variant) const;
  /// Of one layer, or the mean over the layers.
  SeedMeasures of(std::size_t variant, std::optional<std::size_t> layer = std::nullopt) const;

 private:
  using Tests = std::vector<std::vector<double>>;
  std::vector<std::vector<Tests>> m_shares;
  std::size_t m_tests = 0;
};

/// `lines`: the mean over the seeds, with a band from the least to the greatest, or each seed.
ParameterSpec lines_parameter();

/// Adds the curves of one variant according to `lines`.
void add_variant(const ParameterValues& values, const std::string& title, const SeedMeasures& measures, CurveSet& set);

}  // namespace vqscope
