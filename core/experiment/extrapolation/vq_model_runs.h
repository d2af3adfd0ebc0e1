// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/study/variant_study.h"

namespace vqscope {

/// One training of vq_model.
struct VqModelRun {
  double loss = 0;  ///< test loss in nats; NaN: not measured yet
  TrainingTrace trace;
};

/// By codebook size, chosen variant and seed.
using VqModelRuns = std::vector<std::vector<std::vector<VqModelRun>>>;

/// The codebook sizes that `values` select: powers of two from n_code_min to n_code_max, or
/// `model_n_code`.
std::vector<Index> codebook_sizes(const ParameterValues& values);

/// The study of one codebook size.
VariantStudy vq_model_study(const ParameterValues& values, Index n_code);

/// Full attention is trained once and used at every size. Calls `measured` after each training.
Result<VqModelRuns> run_vq_models(const ParameterValues& values, const Work& work,
                                  const std::function<void(const VqModelRuns&)>& measured);

}  // namespace vqscope
