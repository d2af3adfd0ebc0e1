// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/deferred.h"
#include "core/experiment/setting/vq_experiment.h"

namespace vqscope {

/// Tokens with their codes, computed once for all maps of the same values; `shown` says what a map shows of them.
Deferred<VqExperiment>::Compute shared_experiment(const ParameterValues& values, const VqSetting& setting);

}  // namespace vqscope
