// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/report/config_report.h"

namespace vqscope {

/// Gives each layer with RoPE the one of its name, or the one of all layers. Without any, which is after an error, the
/// layers keep "rope" as their positions.
void assign_ropes(const std::vector<RopeUse>& ropes, LayerSchedule& schedule);

}  // namespace vqscope
