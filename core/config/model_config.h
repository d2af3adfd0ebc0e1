// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/config/checkpoint/checkpoint.h"
#include "core/config/place/model_place.h"
#include "core/config/report/config_report.h"

#include <string>
#include <string_view>

namespace vqscope {

/// Reads a config.json. A text that is not a JSON object, or has no key of a model's config, is an
/// error of one sentence; any other mistake is a finding. `checkpoint`: the weights that the config is
/// compared with; null: none.
Result<ConfigReport> read_model_config(std::string_view json, const Checkpoint* checkpoint = nullptr);

/// The same for a value that was already read.
Result<ConfigReport> examine_model_config(const ConfigValue& root, const Checkpoint* checkpoint = nullptr);

// params.json, in which Mistral and Meta publish models beside their own weights.

/// Whether an object is a params.json: dim and n_layers, and no key of a config.json.
bool is_params_json(const ConfigValue& root);

/// Reads it, with findings that name its own keys.
Result<ConfigReport> examine_params_json(const ConfigValue& root, const Checkpoint* checkpoint = nullptr);

/// Whether a path can be that of a model: named .json or .gguf, a file whose content is GGUF,
/// whatever its name, or a folder.
bool is_model_path(const std::string& path);

/// A model with the text that describes it; the text of a binary file is empty.
struct OpenedConfig {
  std::string text;
  ConfigReport report;
  ModelPlace place = {};
  Checkpoint checkpoint = {};
};

/// The weights in the folder of a config.json or params.json; none beside other files.
Checkpoint checkpoint_beside(const std::string& file);

/// The model that a file, a folder or an id names (find_model): its config.json or params.json, or
/// the head of its GGUF file, distinguished by content; "-" is standard input. Errors begin with
/// the path.
Result<OpenedConfig> open_model(const std::string& given);

/// The same of a text that is read already; `name` stands in errors.
Result<OpenedConfig> open_config_text(const std::string& name, std::string text, Checkpoint checkpoint = {});

}  // namespace vqscope
