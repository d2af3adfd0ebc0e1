// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/model_config.h"

#include <QString>

#include <string>

namespace vqscope {

/// Whether a file can be a model's config: named .json or .gguf, or a file whose content is GGUF, whatever its name.
bool isConfigFile(const QString& path);

/// A model's config.json or params.json, or the head of its GGUF file, told apart by content; "-" is standard input.
/// Errors begin with the path.
Result<ConfigReport> readConfigFile(const QString& path);

/// A model with the text that describes it; the text of a binary file is empty.
struct OpenedConfig {
  std::string text;
  ConfigReport report;
};
Result<OpenedConfig> openConfigFile(const QString& path);

}  // namespace vqscope
