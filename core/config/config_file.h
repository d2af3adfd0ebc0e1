// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/model_config.h"

#include <string>

namespace vqscope {

/// Whether a file can be a model's config: named .json or .gguf, or a file whose content is GGUF, whatever its name.
bool is_config_file(const std::string& path);

/// A model with the text that describes it; the text of a binary file is empty.
struct OpenedConfig {
  std::string text;
  ConfigReport report;
};

/// A model's config.json or params.json, or the head of its GGUF file, distinguished by content;
/// "-" is standard input. Errors begin with the path.
Result<OpenedConfig> open_config_file(const std::string& path);
Result<ConfigReport> read_config_file(const std::string& path);

/// The same of a text that is read already; `name` stands in errors.
Result<OpenedConfig> open_config_text(const std::string& name, std::string text);

}  // namespace vqscope
