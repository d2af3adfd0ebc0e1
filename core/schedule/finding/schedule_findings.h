// SPDX-License-Identifier: GPL-3.0-or-later
// Leaks and losses that no single layer shows.
#pragma once

#include "core/schedule/reach/layer_sight.h"

#include <string>
#include <vector>

namespace vqscope {

/// leak: a query depends on tokens that it must not. loss: tokens that it should depend on never reach it. note: worth
/// knowing.
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

/// Where `given` departs from `intended`, layer by layer, and what that changes for `query`. Both have the same tokens.
std::vector<ScheduleFinding> compare_schedules(const LayerSight& intended, const LayerSight& given, Index query);

}  // namespace vqscope
