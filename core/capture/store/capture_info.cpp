// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/store/capture_info.h"

#include "core/base/sentence.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/io/json/json_reader.h"

namespace vqscope {
namespace {

constexpr std::size_t most_info_bytes = std::size_t{16} << 20;
constexpr std::size_t most_info_values = std::size_t{1} << 20;  // each takes about 100 bytes
constexpr Index most_past = Index{1} << 24;

Result<ConfigValue> read_object(const std::string& text, const std::string& what) {
  auto value =
      read_json(text, {.most_bytes = most_info_bytes, .most_values = most_info_values, .python_numbers = true});
  if (!value) return within(what, value.error());
  if (!value->object()) return invalid("{} must be an object in braces", what);
  return value;
}

/// The value of a key that is not null.
const ConfigValue* told_value(const ConfigValue& root, std::string_view key) {
  const ConfigValue* value = root.find(key);
  return value && !value->is_null() ? value : nullptr;
}

Result<void> take_texts(const ConfigValue& root, CaptureInfo& info) {
  for (const auto& [key, into] :
       {std::pair{"engine", &info.engine}, std::pair{"version", &info.version}, std::pair{"notes", &info.notes}}) {
    const ConfigValue* value = told_value(root, key);
    if (!value) continue;
    if (!value->text() && !value->number())
      return invalid("capture.json: {} is {} but must be a text", key, value->shown());
    *into = value->text() ? *value->text() : value->shown();
  }
  return {};
}

Result<void> take_counts(const ConfigValue& root, CaptureInfo& info) {
  if (const ConfigValue* step = told_value(root, "step")) {
    if (step->integer().value_or(-1) < 0)
      return invalid("capture.json: step is {} but must be a whole number from 0 on", step->shown());
    info.step = *step->integer();
  }
  if (const ConfigValue* past = told_value(root, "past")) {
    info.past = past->integer().value_or(-1);
    if (info.past < 0 || info.past > most_past)
      return invalid("capture.json: past is {} but must be a whole number from 0 to {}", past->shown(), most_past);
  }
  return {};
}

Result<void> take_tokens(const ConfigValue& root, CaptureInfo& info) {
  const ConfigValue* tokens = told_value(root, "tokens");
  if (!tokens) return {};
  if (!tokens->list()) return invalid("capture.json: tokens is {} but must be a list of texts", tokens->shown());
  for (const ConfigValue& token : *tokens->list()) info.tokens.push_back(token.text() ? *token.text() : "");
  return {};
}

Result<ConfigValue> read_config(const std::string& told, const std::string& folder) {
  const std::string path = told.starts_with('/') ? told : folder + "/" + told;
  const auto content = read_text(path, most_info_bytes);
  if (!content) return within(shown_path(path), content.error());
  return read_object(*content, shown_path(path));
}

/// A capture may be read without the config, so a path that leads nowhere here is only told.
Result<void> take_told_config(const ConfigValue& root, const std::string& folder, CaptureInfo& info) {
  const ConfigValue* config = told_value(root, "config");
  if (!config) return {};
  if (config->object()) return info.config = *config, Result<void>();
  if (!config->text())
    return invalid("capture.json: config is {} but must be an object, the path of one, or null", config->shown());
  auto read = read_config(*config->text(), folder);
  if (read)
    info.config = std::move(*read);
  else
    info.remark = "the config that capture.json names cannot be read: " + read.error().message;
  return {};
}

}  // namespace

Result<CaptureInfo> read_capture_info(const std::string& text, const std::string& folder) {
  const auto root = read_object(text, "capture.json");
  if (!root) return root.error();
  const ConfigValue* format = told_value(*root, "format");
  if (format && format->number().value_or(0) != 1)
    return invalid("capture.json: format is {} but only format 1 can be read", format->shown());
  CaptureInfo info;
  if (auto taken = take_texts(*root, info); !taken) return taken.error();
  if (auto taken = take_counts(*root, info); !taken) return taken.error();
  if (auto taken = take_tokens(*root, info); !taken) return taken.error();
  if (auto taken = take_told_config(*root, folder, info); !taken) return taken.error();
  return info;
}

}  // namespace vqscope
