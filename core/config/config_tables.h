// SPDX-License-Identifier: GPL-3.0-or-later
// Positions as rows of a table, and biases by distance.
#pragma once

#include "core/config/family/model_family.h"
#include "core/config/report/config_ledger.h"

namespace vqscope {

/// Reads the tables of a model with learned or computed absolute positions, with a finding for each
/// that cannot simply be enlarged.
void read_tables(const ConfigObject& config, const ModelFamily& family, ConfigReport& report);

/// Reads the number of heads, and adds a view of ALiBi.
void read_alibi(const ConfigObject& config, const ModelFamily& family, ConfigReport& report);

/// Adds the buckets of the encoder and of the decoder as views.
void read_t5(const ConfigObject& config, ConfigReport& report);

}  // namespace vqscope
