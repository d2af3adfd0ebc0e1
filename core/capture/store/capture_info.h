// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"
#include "core/io/json/config_value.h"

#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// What capture.json says.
struct CaptureInfo {
  std::string engine;
  std::string version;
  std::string notes;
  Index step = 0;
  Index past = 0;
  std::vector<std::string> tokens;
  std::optional<ConfigValue> config;  ///< what the engine was told; of a path: the file's content
};

/// Unknown keys are passed over. A `format` above 1 is refused. `folder`: what paths start from.
Result<CaptureInfo> read_capture_info(const std::string& text, const std::string& folder);

}  // namespace vqscope
