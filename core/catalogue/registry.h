// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <span>

namespace vqscope {

/// Every method of this build in the order in which lists show them: encodings, masks, curves and
/// layers, then those of added_parts().
std::span<const Method> methods();

/// Those that no page shows: `list` and `export` know them, their result is files.
std::span<const Method> file_methods();

const Method* find_method(std::string_view id);

/// The same with a sentence that names the nearest known id.
Result<const Method*> require_method(std::string_view id);

}  // namespace vqscope
