// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/store/capture.h"

namespace vqscope {

/// A capture that a command reads; what was left out of it is a note on stderr.
Result<Capture> openedCapture(const std::string& path);

}  // namespace vqscope
