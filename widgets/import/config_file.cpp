// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/import/config_file.h"

#include "core/io/json_reader.h"
#include "core/io/read_text.h"
#include "widgets/file_name.h"

namespace vqscope {

bool isConfigFile(const QString& path) { return path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive); }

Result<ConfigReport> readConfigFile(const QString& path) {
  const std::string name = path == QLatin1String("-") ? "standard input" : shownPath(path);
  const auto within = [&](const Error& error) { return Error{error.code, name + ": " + error.message}; };
  const auto text = read_text(bytesOf(path), most_json_bytes);
  if (!text) return within(text.error());
  auto report = read_model_config(*text);
  return report ? std::move(report) : within(report.error());
}

}  // namespace vqscope
