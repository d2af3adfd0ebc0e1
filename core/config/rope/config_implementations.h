// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/report/config_ledger.h"

namespace vqscope {

/// Fills in pairs, factors and implementations of a RoPE with known scaling. `rope`: the object
/// with the scaling, or null; `latent`: multi-head latent attention.
void tell_rope_use(RopeUse& use, const ConfigObject* rope, bool latent);

}  // namespace vqscope
