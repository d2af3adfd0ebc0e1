// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/import/config_file.h"

#include "core/base/within.h"
#include "core/config/gguf/gguf_config.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/read_text.h"
#include "core/io/gguf/gguf.h"
#include "core/io/json/json_reader.h"
#include "widgets/parts/file_name.h"

#include <QFile>
#include <QFileInfo>

namespace vqscope {
namespace {

/// Reads a file, or one compiled into the program: ":/configs/t5-base.json".
Result<std::string> contentOf(const QString& path) {
  if (!path.startsWith(QLatin1String(":/"))) return read_text(bytesOf(path), most_json_bytes);
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return Error{Errc::io, file.errorString().toStdString()};
  return file.readAll().toStdString();
}

/// Whether the first bytes of a regular file are those of GGUF. Pipes and devices are not opened.
bool isGguf(const QString& path) {
  if (!QFileInfo(path).isFile()) return false;
  QFile file(path);
  return file.open(QIODevice::ReadOnly | QIODevice::Unbuffered) && begins_as_gguf(file.read(4).toStdString());
}

/// A GGUF file's head. Standard input must be a file, because the factors of RoPE are far behind the head.
Result<ConfigReport> readGguf(const std::string& path) {
  const auto source = open_file(path);
  return source ? examine_gguf(**source) : source.error();
}

}  // namespace

bool isConfigFile(const QString& path) {
  return path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive) ||
         path.endsWith(QLatin1String(".gguf"), Qt::CaseInsensitive) || isGguf(path);
}

Result<OpenedConfig> openConfigFile(const QString& path) {
  const bool standardInput = path == QLatin1String("-");
  const std::string name = standardInput ? "standard input" : shownPath(path);
  const QString file = standardInput ? QStringLiteral("/dev/stdin") : path;
  if (isGguf(file)) {
    auto report = readGguf(bytesOf(file));
    if (!report) return within(name, report.error());
    return OpenedConfig{{}, std::move(*report)};
  }
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
