// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/report/config_report.h"

#include <map>

namespace vqscope {

/// A params.json in the keys of a config.json, and the way back.
struct TranslatedParams {
  ConfigValue config;
  std::map<std::string, std::string> own;  ///< by key of the config: the key in the params.json
};

/// Values keep their places. What has no key in the file has line 0.
TranslatedParams translate_params(const ConfigValue& root);

/// Whether the file is of Meta's format, else of Mistral's.
bool is_meta_params(const ConfigValue& root);

/// A sentence with the file's own keys.
std::string in_own_keys(const std::string& sentence, const TranslatedParams& translated);

}  // namespace vqscope
