// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/import/config_file.h"

#include "core/base/within.h"
#include "core/io/bytes/read_text.h"
#include "core/io/json/json_reader.h"
#include "widgets/parts/file_name.h"

#include <QFile>

namespace vqscope {
namespace {

/// Reads a file, or one compiled into the program: ":/configs/t5-base.json".
Result<std::string> contentOf(const QString& path) {
  if (!path.startsWith(QLatin1String(":/"))) return read_text(bytesOf(path), most_json_bytes);
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return Error{Errc::io, file.errorString().toStdString()};
  return file.readAll().toStdString();
}

}  // namespace

bool isConfigFile(const QString& path) { return path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive); }

Result<OpenedConfig> openConfigFile(const QString& path) {
  const std::string name = path == QLatin1String("-") ? "standard input" : shownPath(path);
  auto text = contentOf(path);
  if (!text) return within(name, text.error());
  auto report = read_model_config(*text);
  if (!report) return within(name, report.error());
  return OpenedConfig{std::move(*text), std::move(*report)};
}

Result<ConfigReport> readConfigFile(const QString& path) {
  auto opened = openConfigFile(path);
  if (!opened) return opened.error();
  return std::move(opened->report);
}

}  // namespace vqscope
