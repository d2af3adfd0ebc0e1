// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/family/model_family.h"
#include "core/config/report/config_ledger.h"

namespace vqscope {

/// Fills in what a layer has beside its mask and its positions: heads, sinks, query temperature, and an earlier layer
/// whose keys and values are used. `scaling`: the object with the RoPE scaling; null: none.
void read_layer_details(const ConfigObject& config, const ConfigObject* scaling, const ModelFamily& family,
                        std::vector<ModelLayer>& layers);

/// Chunks whose positions start again, a factor of queries beyond the training length, and a base that grows with the
/// sequence: what Qwen's models add to RoPE.
void read_length_extensions(const ConfigObject& config, const ModelFamily& family, ConfigReport& report);

}  // namespace vqscope
