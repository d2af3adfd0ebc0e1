// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"
#include "core/experiment/long_context/context_outputs.h"
#include "core/experiment/long_context/context_setting.h"
#include "core/method/curve_set.h"

namespace vqscope {

/// Codewords and centroids learnt from the first keys of a task, with zeros for those that there
/// are too few keys for.
Result<ContextCodebooks> learnt_codebooks(const TaskTokens& task, const ContextSizes& sizes,
                                          const std::vector<ContextSystem>& systems, std::uint64_t seed,
                                          const Work& work);

/// Factors of the queries and keys of a matrix, from which the best is chosen.
std::vector<double> stored_scales(const ContextSetting& setting);

/// The errors of `quantity`, with the curve `optimum` of a reader who knows how the tokens were
/// made: by task, by length, or against a cost. Lengths beyond `most` tokens are left out.
Result<CurveSet> context_errors(const ContextSetting& setting, CurveSet axes, Index most, const Work& work);

}  // namespace vqscope
