// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/setting/shared_experiment.h"

#include "core/base/shared_computation.h"

namespace vqscope {

Deferred<VqExperiment>::Compute shared_experiment(const ParameterValues& values, const VqSetting& setting) {
  static SharedComputation<SettingKey, VqExperiment> known;
  return [key = key_of(values, setting, {"shown"}), setting](const Work& work) {
    return known.get(key, work, [setting](const Work& shared) { return run_vq(setting, shared); });
  };
}

}  // namespace vqscope
