// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/import/config_file.h"

#include "core/io/json_reader.h"

#include <QFile>
#include <QFileInfo>

namespace vqscope {

bool isConfigFile(const QString& path) { return path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive); }

Result<ConfigReport> readConfigFile(const QString& path) {
  const bool standardInput = path == QLatin1String("-");
  const std::string name = standardInput ? "standard input" : path.toStdString();
  QFile file(path);
  if (!standardInput && QFileInfo(path).isDir()) return Error{Errc::io, name + ": it is a directory"};
  if (!(standardInput ? file.open(stdin, QIODevice::ReadOnly) : file.open(QIODevice::ReadOnly)))
    return Error{Errc::io, name + ": " + file.errorString().toStdString()};
  // One byte more than is allowed is enough to be refused.
  const QByteArray text = file.read(static_cast<qint64>(most_json_bytes) + 1);
  auto report = read_model_config({text.constData(), static_cast<std::size_t>(text.size())});
  if (!report) return Error{report.error().code, name + ": " + report.error().message};
  return report;
}

}  // namespace vqscope
