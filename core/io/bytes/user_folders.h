// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>

namespace vqscope {

/// $HOME if it is an absolute path, otherwise the home folder of the user's account; empty if
/// neither exists.
std::string home_folder();

/// Creates the folder and the missing ones above it for their owner alone, and takes the rights of
/// others from a folder that exists. Errors name the path.
Result<void> make_state_folder(const std::string& path);

}  // namespace vqscope
