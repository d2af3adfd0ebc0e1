// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/store/capture_info.h"

#include "core/base/sentence.h"
#include "core/io/bytes/file_source.h"
#include "core/io/json/json_reader.h"

namespace vqscope {
namespace {

constexpr std::size_t most_info_bytes = std::size_t{16} << 20;

Result<ConfigValue> read_object(const std::string& text, const std::string& what) {
  auto value = read_json(text, {.most_bytes = most_info_bytes, .most_values = most_info_bytes, .python_numbers = true});
  if (!value) return within(what, value.error());
  if (!value->object()) return invalid("{} must be an object in braces", what);
  return value;
}

void take_text(const ConfigValue& root, std::string_view key, std::string& into) {
  const ConfigValue* value = root.find(key);
  if (value && value->text()) into = *value->text();
}

}  // namespace

Result<CaptureInfo> read_capture_info(const std::string& text, const std::string& folder) {
  const auto root = read_object(text, "capture.json");
  if (!root) return root.error();
  const ConfigValue* format = root->find("format");
  if (format && format->integer().value_or(1) > 1)
    return invalid("capture.json: format is {} but only format 1 can be read", format->shown());
  CaptureInfo info;
  take_text(*root, "engine", info.engine);
  take_text(*root, "version", info.version);
  take_text(*root, "notes", info.notes);
  for (const auto& [key, into] : {std::pair{"step", &info.step}, std::pair{"past", &info.past}}) {
    const ConfigValue* value = root->find(key);
    if (!value || value->is_null()) continue;
    if (value->integer().value_or(-1) < 0)
      return invalid("capture.json: {} is {} but must be a whole number from 0 on", key, value->shown());
    *into = *value->integer();
  }
  if (const ConfigValue* tokens = root->find("tokens"); tokens && tokens->list())
    for (const ConfigValue& token : *tokens->list()) info.tokens.push_back(token.text() ? *token.text() : "");
  const ConfigValue* config = root->find("config");
  if (config && config->object()) info.config = *config;
  if (config && config->text()) {
    const std::string path = config->text()->starts_with('/') ? *config->text() : folder + "/" + *config->text();
    const auto content = read_text(path, most_info_bytes);
    if (!content) return invalid("capture.json: the config {} cannot be read: {}", path, content.error().message);
    auto value = read_object(*content, path);
    if (!value) return value.error();
    info.config = std::move(*value);
  }
  return info;
}

}  // namespace vqscope
