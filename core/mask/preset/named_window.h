// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"

#include <optional>
#include <string>

namespace vqscope {

/// A number that a mask's text calls a window: SLIDING_WINDOW = 128.
struct NamedWindow {
  std::string name;
  Index value = 0;
};

/// A free integer whose name has "window" in it, else one that the text sets; nothing where there is none or several.
std::optional<NamedWindow> named_window(const ParameterValues& values);

}  // namespace vqscope
