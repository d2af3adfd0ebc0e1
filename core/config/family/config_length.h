// SPDX-License-Identifier: GPL-3.0-or-later
// Lengths and thetas of a config, under any of their names.
#pragma once

#include "core/config/family/model_bounds.h"
#include "core/config/family/model_family.h"
#include "core/config/report/config_ledger.h"

namespace vqscope {

/// The key of the sequence length: the family's own if given, otherwise the first usual name that
/// is given, otherwise the family's own if it has one.
std::string length_key(const ConfigObject& config, const ModelFamily& family);

struct ConfigTheta {
  std::string key;  ///< the key in the config; if none is given, the one that would be read
  std::optional<double> value;
  double ratio = 1;  ///< ChatGLM: theta is multiplied by it
};

/// The theta outside the scaling: under `key`, under another name for it, or inside an attention
/// object; of a list with an item for each layer, that of `layer`.
ConfigTheta read_config_theta(const ConfigObject& config, const std::string& key, Index layer = 0);

}  // namespace vqscope
