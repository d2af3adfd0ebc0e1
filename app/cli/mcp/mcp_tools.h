// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/json/config_value.h"
#include "core/io/json/json_value.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// A command whose arguments are JSON.
struct McpTool {
  /// An argument with its schema.
  struct Argument {
    std::string name;
    JsonObject schema;
    bool required = false;
  };

  std::string name;
  std::string description;
  std::vector<Argument> arguments;
  /// The words of the command line. `folder`: for files that last as long as the call.
  Result<std::vector<std::string>> (*words)(const ConfigValue& arguments, const std::string& folder) = nullptr;
};

/// check, recognise, row, compare, config, block_mask, export and list.
std::span<const McpTool> mcpTools();
const McpTool* findTool(std::string_view name);

/// As tools/list has them.
JsonArray describedTools();

/// Runs the command. Arguments that the tool does not have are parameters, as in `set`. What it prints is the content;
/// a refusal is an error with its sentence; a picture is the content as PNG.
JsonObject callOf(const McpTool& tool, const ConfigValue& given);

}  // namespace vqscope
