// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/report/config_ledger.h"

namespace vqscope {

struct ModelFamily;

/// Whether a token attends to those after it too: in encoders, and in decoders whose config sets
/// it. The layers of a model with an encoder and a decoder are the encoder's.
bool sees_both_ways(const ConfigObject& config, const ModelFamily& family);

}  // namespace vqscope
