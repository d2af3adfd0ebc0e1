// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace vqscope {

/// What a form calls a parameter that states no label: "Training steps" for train_steps. A symbol of
/// one letter stays as it is.
std::string parameter_label(std::string_view name);

}  // namespace vqscope
