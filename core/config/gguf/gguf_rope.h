// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/gguf/gguf_model.h"

namespace vqscope {

/// The RoPE of full layers, or of all; then that of layers with a window, if it differs. Nothing after an error, which
/// is a finding.
std::vector<RopeUse> read_gguf_ropes(const GgufModel& model);

}  // namespace vqscope
