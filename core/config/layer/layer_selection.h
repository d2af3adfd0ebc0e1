// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/family/model_family.h"
#include "core/config/report/config_ledger.h"

namespace vqscope {

/// Makes layers sparse or compressed by the fields of a config, whatever its model_type: an indexer with a number of
/// keys or blocks to select, ratios of compression. `window`: that of the local branch of compressed layers.
void read_selection(const ConfigObject& config, const ModelFamily& family, Index window,
                    std::vector<ModelLayer>& layers);

/// How the indexers of latent attention rotate, if not as their layer does.
void read_index_pairs(const ConfigObject& config, const ModelFamily& family, LayerSchedule& schedule);

}  // namespace vqscope
