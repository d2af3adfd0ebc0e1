// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/report/config_report.h"

namespace vqscope {

/// Views of the phases of a RoPE; with M-RoPE also those of text and an image on three axes.
std::vector<ConfigView> rope_views(const RopeUse& use);

}  // namespace vqscope
