// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/curve_set.h"

#include <functional>
#include <string>
#include <string_view>

namespace vqscope {

/// The sentence on the result of an experiment: one of its own, or the general one.
std::function<std::string(const CurveSet&)> experiment_verdict(std::string_view id);

}  // namespace vqscope
