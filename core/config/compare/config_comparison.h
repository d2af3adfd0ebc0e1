// SPDX-License-Identifier: GPL-3.0-or-later
// Two models' configs, compared by what they mean.
#pragma once

#include "core/config/report/config_report.h"

namespace vqscope {

/// One difference in meaning. The same angles written with other keys are none.
struct ConfigDifference {
  std::string fact;     ///< "rope_theta", "sliding window"; with the layers if it concerns some of them
  std::string a, b;     ///< what each config says, in a few words
  std::string meaning;  ///< one sentence, without a full stop
  int weight = 0;       ///< from 1 to 100: how much of the model's behaviour depends on it
};

/// The differences, the heaviest first.
std::vector<ConfigDifference> compare_configs(const ConfigReport& a, const ConfigReport& b);

/// Bytes of the keys and values of one token in all layers together, with 16-bit numbers; 0: not known.
Index cache_bytes_of_token(const LayerSchedule& schedule);

/// The differences as lines of text, or one that says that there are none.
std::string comparison_text(const std::string& a, const std::string& b,
                            const std::vector<ConfigDifference>& differences);

}  // namespace vqscope
