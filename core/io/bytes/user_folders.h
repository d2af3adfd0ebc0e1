// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace vqscope {

/// $HOME if it is an absolute path, otherwise the home folder of the user's account; empty if
/// neither exists.
std::string home_folder();

/// A path with "~" or "~user" at its beginning and then $NAME and ${NAME} replaced, as Python's
/// expanduser and expandvars do. Users and variables that do not exist stay as written.
std::string expanded_path(std::string_view path);

/// Creates the folder and the missing ones above it for their owner alone, and takes the rights of
/// others from a folder that exists. Errors name the path.
Result<void> make_state_folder(const std::string& path);

}  // namespace vqscope
