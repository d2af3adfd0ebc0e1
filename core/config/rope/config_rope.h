// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/rope/config_head.h"

namespace vqscope {

/// Where a config defines the RoPE of some layers.
struct ConfigRopeSource {
  std::string layers;
  const ConfigObject* object = nullptr;  ///< the scaling; null: none
  std::string theta_key = "rope_theta";  ///< in the config itself
  const ModelFamily* family = nullptr;
  double theta = 10000;                 ///< if none is given
  Index layer = 0;                      ///< the first of these layers: keys may be lists with an item for each layer
  const ConfigObject* types = nullptr;  ///< the object with a scaling for each type of layers; null: there is none
};

/// Reads the RoPE of these layers, without pairs and implementations, and the keys of its object.
/// Returns nothing after an error, which is in the ledger.
std::optional<RopeUse> read_rope(const ConfigObject& config, const ConfigRopeSource& source,
                                 std::vector<ConfigKey>& keys);

}  // namespace vqscope
