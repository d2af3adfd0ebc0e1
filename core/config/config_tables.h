// SPDX-License-Identifier: GPL-3.0-or-later
// Positions that are rows of a table, and biases of the distance.
#pragma once

#include "core/config/family/model_family.h"
#include "core/config/report/config_ledger.h"

namespace vqscope {

/// The tables of a model with learned or computed absolute positions, with a finding for each that cannot be raised.
void read_tables(const ConfigObject& config, const ModelFamily& family, ConfigReport& report);

/// Heads and a view of ALiBi.
void read_alibi(const ConfigObject& config, const ModelFamily& family, ConfigReport& report);

/// Buckets of the encoder and of the decoder as views.
void read_t5(const ConfigObject& config, ConfigReport& report);

}  // namespace vqscope
