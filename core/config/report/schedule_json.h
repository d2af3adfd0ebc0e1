// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/report/config_report.h"
#include "core/io/json/json_value.h"

namespace vqscope {

/// {"ropes": […], "layers": […]}: a member for each field of LayerSchedule; null for what a layer does not have.
JsonObject schedule_json(const LayerSchedule& schedule);

/// {"tokens", "bytes", "bytes_all_full", "layers_not_counted"} of the longest sequence with 16-bit numbers, or null.
JsonValue cache_json(const ConfigReport& report);

/// {"chunk_size", "local_size", "original_max_position_embeddings"}, or null.
JsonValue dual_chunk_json(const std::optional<DualChunk>& chunks);

}  // namespace vqscope
