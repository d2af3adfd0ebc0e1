// SPDX-License-Identifier: GPL-3.0-or-later
// How a family's code changes the usual RoPE.
#pragma once

#include "core/config/rope/config_head.h"

namespace vqscope {

/// Which dimensions of a head form a pair, and which axis rotates which pairs. `rope`: null without
/// a scaling.
void read_layout(const ConfigObject& config, const ConfigObject* rope, const ModelFamily& family,
                 const ConfigHead& head, RopeUse& use);

/// Gemma 4: the exponent runs over the whole head, but only the first part of the pairs rotates.
/// This gives the same angles as a rotated part with theta^part, in pairs half a head apart.
void take_proportional(const ConfigObject& rope, RopeUse& use);

/// HunYuan: one larger theta for every length; factor is not used.
void read_alpha(const ConfigObject& rope, const ModelFamily& family, RopeUse& use);

/// Phi-3.5-MoE: cos and sin are multiplied by long_mscale beyond the training length, by short_mscale up to it.
void read_mscales(const ConfigObject& rope, const ModelFamily& family, RopeUse& use);

}  // namespace vqscope
