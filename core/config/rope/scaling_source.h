// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/family/model_family.h"
#include "core/config/report/config_ledger.h"

namespace vqscope {

/// The object that scales the RoPE of a config: rope_scaling, else rope_parameters, else the default of the class.
class ScalingSource {
 public:
  /// Null without any. Other values under these keys are findings of the config's ledger.
  const ConfigObject* find(const ConfigObject& config, const ModelFamily& family);
  /// Whether it is the default: the config has none of its keys.
  bool is_default() const { return !m_default.is_null(); }

 private:
  const ConfigObject* find_default(const ConfigObject& config, const ModelFamily& family);

  std::optional<ConfigObject> m_object;
  ConfigValue m_default;
  ConfigLedger m_aside;  ///< for what would be said of the default
};

}  // namespace vqscope
