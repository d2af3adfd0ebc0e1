// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace vqscope {

/// Calls `look` for every step that all of these captures have whole, in their order, while they are
/// being written: a step is whole when a later one has begun, or when capture.json is there. Ends with
/// the first status of `look` that is not exitDone, when all captures are whole, after so many seconds,
/// or at a stop. Returns the exit status.
int watchSteps(const std::vector<std::string>& captures, std::optional<double> seconds, const std::stop_token& stop,
               const std::function<int(Index step)>& look);

}  // namespace vqscope
