// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/position/model_config.h"

#include <QString>

namespace vqscope {

/// A model's config.json; "-" is standard input. Errors begin with the path.
Result<ConfigReport> readConfigFile(const QString& path);

}  // namespace vqscope
