// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/report/config_report.h"

namespace vqscope {

/// The view of a RoPE's phases; seq_len is set only if the type reads it.
ConfigView rope_view(const RopeUse& use);

}  // namespace vqscope
