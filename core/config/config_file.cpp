// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/config_file.h"

#include "core/base/result.h"
#include "core/config/gguf/gguf_config.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/io/gguf/gguf.h"
#include "core/io/json/json_reader.h"

#include <filesystem>
#include <fstream>

namespace vqscope {
namespace {

/// Whether the first bytes of a regular file are those of GGUF. Pipes and devices are not opened.
bool is_gguf(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return false;
  std::string first(4, '\0');
  return std::ifstream(path, std::ios::binary).read(first.data(), 4) && begins_as_gguf(first);
}

/// A GGUF file's head. Standard input must be a file, because the factors of RoPE are far behind the head.
Result<ConfigReport> read_gguf(const std::string& path) {
  const auto source = open_file(path);
  return source ? examine_gguf(**source) : source.error();
}

}  // namespace

bool is_config_file(const std::string& path) {
  const std::string suffix = file_suffix(path);
  return suffix == "json" || suffix == "gguf" || is_gguf(path);
}

Result<OpenedConfig> open_config_file(const std::string& path) {
  const bool standard_input = path == "-";
  const std::string name = standard_input ? "standard input" : shown_path(path);
  const std::string file = standard_input ? "/dev/stdin" : path;
  if (is_gguf(file)) {
    auto report = read_gguf(file);
    if (!report) return within(name, report.error());
    return OpenedConfig{{}, std::move(*report)};
  }
  auto text = read_text(path, most_json_bytes);
  if (!text) return within(name, text.error());
  return open_config_text(name, std::move(*text));
}

Result<OpenedConfig> open_config_text(const std::string& name, std::string text) {
  auto report = read_model_config(text);
  if (!report) return within(name, report.error());
  return OpenedConfig{std::move(text), std::move(*report)};
}

Result<ConfigReport> read_config_file(const std::string& path) {
  auto opened = open_config_file(path);
  if (!opened) return opened.error();
  return std::move(opened->report);
}

}  // namespace vqscope
