// SPDX-License-Identifier: GPL-3.0-or-later
// Lengths and thetas of a config, whatever their keys are called.
#pragma once

#include "core/config/family/model_family.h"
#include "core/config/report/config_ledger.h"

namespace vqscope {

inline constexpr NumberRange lengths{1, 2147483648.0};
inline constexpr NumberRange thetas{1, 1e12, true};

/// The key with the length of a sequence: the family's, else the first of the usual names that is given, else the
/// family's where it has one of its own.
std::string length_key(const ConfigObject& config, const ModelFamily& family);

struct ConfigTheta {
  std::string key;  ///< of the config; where none is given, the one that would be read
  std::optional<double> value;
  double ratio = 1;  ///< ChatGLM: theta is multiplied by it
};

/// The theta beside the scaling, under the key that is asked for, another name of it, or inside an object of attention.
ConfigTheta read_config_theta(const ConfigObject& config, const std::string& key);

}  // namespace vqscope
