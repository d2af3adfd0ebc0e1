// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace vqscope {

/// Whether a pickle of tensors may name that class or function: those of containers, tensors,
/// arrays and batches. They are never called.
bool is_allowed_name(std::string_view module, std::string_view name);

}  // namespace vqscope
