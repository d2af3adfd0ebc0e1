// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace vqscope {

/// The rope_parameters that the class of a model_type has by default, as JSON; empty: none.
std::string_view class_scaling(std::string_view model_type);

}  // namespace vqscope
