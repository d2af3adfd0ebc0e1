// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/reach/layer_sight.h"

#include <optional>
#include <string>
#include <vector>

namespace vqscope {

// Leaks and losses that no single layer shows.

/// leak: a query depends on tokens that it must not. loss: tokens that it should depend on never
/// reach it. note: worth knowing.
enum class ScheduleSeverity { leak, loss, note };

struct ScheduleFinding {
  ScheduleSeverity severity = ScheduleSeverity::note;
  std::string title;     ///< "Documents meet from layer 5 on"
  std::string sentence;  ///< with the numbers, and the consequence; ends with a full stop
  Index layer = -1;      ///< the first one concerned
  Index query = -1;      ///< a query that shows it, and the token that reaches it or does not
  Index token = -1;
};

/// Effects of the layers on these tokens as seen from `query`: leaks, then losses, then notes.
std::vector<ScheduleFinding> find_in_schedule(const LayerSight& sight, Index query);

/// Where `given` departs from `intended`, layer by layer, and what that changes for `query`. Both
/// have the same tokens.
std::vector<ScheduleFinding> compare_schedules(const LayerSight& intended, const LayerSight& given, Index query);

// Schedules beside a given one that answer what-if questions, and how two differ.

/// Whether queries of the layer see other tokens.
bool looks_around(const ModelLayer& layer);

/// Layers that were changed, and the schedule with them.
struct ChangedLayers {
  LayerSchedule schedule;
  std::vector<Index> layers;
  std::string kind = {};  ///< "sliding": whose mask they took
  Index window = 0;
};

/// Full layers with the mask of the windowed ones, the largest where there are several; nothing
/// unless a schedule has both.
std::optional<ChangedLayers> windows_everywhere(const LayerSchedule& schedule);

/// Attention without positions left out; nothing unless a schedule has both sorts.
std::optional<ChangedLayers> without_nope_layers(const LayerSchedule& schedule);

LayerSchedule with_own_keys(LayerSchedule schedule);

/// Layers whose window is not that of most layers of their kind.
struct UnlikeLayers {
  LayerAttention kind = LayerAttention::sliding;
  Index window = 0;
  std::vector<Index> layers;
  Index usual = 0;      ///< window of the others
  Index others = 0;     ///< how many
  LayerSchedule alike;  ///< with the usual window for all
};

/// Those that are at most a quarter of their kind.
std::vector<UnlikeLayers> unlike_windows(const LayerSchedule& schedule);

/// Layers that changed in the same way.
struct ScheduleChange {
  std::string intended;  ///< "full"
  std::string given;     ///< "sliding:1024"
  std::vector<Index> layers;
};
/// By first layer, in what they see and how they keep to documents; as many layers in both.
std::vector<ScheduleChange> changes_between(const LayerSight& intended, const LayerSight& given);

}  // namespace vqscope
