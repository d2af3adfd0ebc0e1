// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/deferred.h"
#include "core/experiment/setting/vq_experiment.h"

namespace vqscope {

/// Tokens with their codes, computed once for all maps with the same values; `shown` names the
/// parameters that only decide what a map shows.
Deferred<VqExperiment>::Compute shared_experiment(const ParameterValues& values, const VqSetting& setting);

}  // namespace vqscope
