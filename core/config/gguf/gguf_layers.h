// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/gguf/gguf_model.h"

namespace vqscope {

/// Fills in schedule and layers of the report, whose kind and ropes are known; of two ropes the second is that of
/// layers with a window.
void report_gguf_layers(const GgufModel& model, ConfigReport& report);

/// Whether a layer attends, rather than having a state or neither.
bool gguf_layer_attends(const GgufModel& model, std::size_t layer);

/// Whether an attention layer rotates, in an architecture with RoPE.
bool gguf_layer_rotates(const GgufModel& model, std::size_t layer);

}  // namespace vqscope
