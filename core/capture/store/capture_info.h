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
  std::string remark;                 ///< why the file of that path was not read; empty: it was, or there is none
};

/// Unknown keys are passed over. Another `format` than 1, and known keys with values of another type, are refused; a
/// config that cannot be read is left out. `folder`: what paths start from.
Result<CaptureInfo> read_capture_info(const std::string& text, const std::string& folder);

}  // namespace vqscope
