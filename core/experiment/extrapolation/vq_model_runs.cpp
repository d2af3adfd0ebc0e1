// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/extrapolation/vq_model_runs.h"

#include "core/experiment/extrapolation/extrapolation_parameters.h"
#include "core/experiment/extrapolation/studies.h"

#include <limits>

namespace vqscope {

std::vector<Index> codebook_sizes(const ParameterValues& values) {
  if (values.choice("against") == "step") return {values.integer("model_n_code")};
  std::vector<Index> sizes;
  for (Index size = 1; size <= values.integer("n_code_max"); size *= 2)
    if (size >= values.integer("n_code_min")) sizes.push_back(size);
  return sizes;
}

VariantStudy vq_model_study(const ParameterValues& values, Index n_code) {
  ParameterValues own = default_values(extrapolation_parameters());
  for (const auto& [name, value] : values.map())
    if (own.find(name) && name != "quantity") own.set(name, value);
  own.set("model_n_code", n_code);
  own.set("longest_multiple", Index{2});
  VariantStudy study = language_study(own);
  study.lengths.resize(1);  // the training length
  return study;
}

Result<VqModelRuns> run_vq_models(const ParameterValues& values, const Work& work,
                                  const std::function<void(const VqModelRuns&)>& measured) {
  const auto sizes = codebook_sizes(values);
  const auto variants = chosen_variants(values).size();  // duplicates count once
  const auto seeds = static_cast<std::size_t>(values.integer("seed_count"));
  const VqModelRun none{std::numeric_limits<double>::quiet_NaN(), {}};
  VqModelRuns runs(sizes.size(), std::vector(variants, std::vector(seeds, none)));
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    const auto part = [&](double fraction) {
      work.report((static_cast<double>(s) + fraction) / static_cast<double>(sizes.size()));
    };
    VariantStudy study = vq_model_study(values, sizes[s]);
    study.trained = [&](std::size_t variant, std::size_t seed, const TrainedModel& model) {
      runs[s][variant][seed].trace = model.trace();
    };
    const auto take = [&](const VariantMeasures& losses) {
      for (std::size_t variant = 0; variant < variants; ++variant)
        for (std::size_t seed = 0; seed < seeds; ++seed) runs[s][variant][seed].loss = losses[variant][seed][0];
      measured(runs);
    };
    const auto done = run_study(study, {.progress = part, .stop = work.stop}, take);
    if (!done) return done.error();
  }
  return runs;
}

}  // namespace vqscope
