// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace vqscope {

/// One difference in meaning. The same angles written with other keys are none.
struct ConfigDifference {
  std::string fact;     ///< "rope_theta", "sliding window"; with the layers if it concerns some of them
  std::string a, b;     ///< value in each config, in a few words
  std::string meaning;  ///< one sentence, without a full stop
  int weight = 0;       ///< from 1 to 100: how much of the model's behaviour depends on it
};

}  // namespace vqscope
