// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters that many methods have, with one range each.
#pragma once

#include "core/method/parameter.h"

namespace vqscope {

/// `seed`: up to 2^53, which a JSON file keeps.
ParameterSpec seed_parameter(std::string group, std::string help, std::vector<Relevance> relevant = {});

/// `points`: of a curve, at most.
ParameterSpec points_parameter(std::string group, Index default_value, Index most);

/// `threads`: 0 for as many as the machine has.
ParameterSpec worker_threads_parameter(std::string group);

}  // namespace vqscope
