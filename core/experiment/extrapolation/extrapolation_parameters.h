// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"

namespace vqscope {

std::vector<ParameterSpec> extrapolation_parameters();

/// 1, 2, 4, ... up to longest_multiple.
std::vector<Index> extrapolation_multiples(const ParameterValues& values);

}  // namespace vqscope
