// SPDX-License-Identifier: GPL-3.0-or-later
// A layer of a model in a few words for each column of a table.
#pragma once

#include "core/schedule/layer_schedule.h"

#include <QString>

namespace vqscope {

/// "window 1 024", "full", "chunk 8 192", "sparse, top 2 048", "compressed 1:4, top 512, window
/// 128", "state", "no mixing".
QString maskWords(const ModelLayer& layer);
/// "RoPE half", "RoPE pairs", "none (NoPE)", "alibi", "–".
QString positionWords(const LayerSchedule& schedule, const ModelLayer& layer);
QString thetaWords(const LayerSchedule& schedule, const ModelLayer& layer);
/// "yarn 32"; "–" for the default.
QString scalingWords(const LayerSchedule& schedule, const ModelLayer& layer);
/// "64 of 128" where not all dimensions are rotated.
QString rotatedWords(const LayerSchedule& schedule, const ModelLayer& layer);
/// "sink, temperature, KV of layer 18".
QString extraWords(const ModelLayer& layer);
/// Cache of the layer for `tokens` tokens, two bytes a number: "4 MiB", "shared", "?" if not known.
QString cacheWords(const ModelLayer& layer, Index tokens);

/// All facts about the layer, a line each.
QString layerTip(const LayerSchedule& schedule, Index layer, Index tokens);

}  // namespace vqscope
