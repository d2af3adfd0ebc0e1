// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/report/config_ledger.h"

namespace vqscope {

/// Fills in pairs, factors and implementations of a RoPE whose scaling is known. `rope` is the object with the scaling,
/// null without one; `latent`: multi-head latent attention.
void tell_rope_use(RopeUse& use, const ConfigObject* rope, bool latent);

}  // namespace vqscope
