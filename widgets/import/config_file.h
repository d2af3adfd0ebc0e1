// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/model_config.h"

#include <QString>

#include <string>

namespace vqscope {

/// Whether the file name is that of a model's config: .json.
bool isConfigFile(const QString& path);

/// A model's config.json; "-" is standard input. Errors begin with the path.
Result<ConfigReport> readConfigFile(const QString& path);

/// The same with the text of the file.
struct OpenedConfig {
  std::string text;
  ConfigReport report;
};
Result<OpenedConfig> openConfigFile(const QString& path);

}  // namespace vqscope
