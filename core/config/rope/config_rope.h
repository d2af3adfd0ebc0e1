// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/rope/config_head.h"

namespace vqscope {

/// Where the RoPE of some layers stands in a config.
struct ConfigRopeSource {
  std::string layers;
  const ConfigObject* object = nullptr;  ///< the scaling; null: there is none
  std::string theta_key = "rope_theta";  ///< in the config itself
  const ModelFamily* family = nullptr;
  double theta = 10000;  ///< where none is given
};

/// The RoPE of these layers, without pairs and implementations, and the keys of its object. Nothing where a mistake
/// leaves it unknown; the ledger has it then.
std::optional<RopeUse> read_rope(const ConfigObject& config, const ConfigRopeSource& source,
                                 std::vector<ConfigKey>& keys);

}  // namespace vqscope
