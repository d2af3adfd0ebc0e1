// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/report/config_ledger.h"

namespace vqscope {

/// Fills in how many numbers the recurrent layers keep of a sequence, from the sizes that the config has for them: the
/// state, and the last inputs of a short convolution. Layers whose sizes are not given keep 0, which is "not known".
void read_states(const ConfigObject& config, std::vector<ModelLayer>& layers);

}  // namespace vqscope
