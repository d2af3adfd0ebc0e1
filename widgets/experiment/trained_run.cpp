// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/experiment/trained_run.h"

#include "core/base/guard.h"
#include "core/export/number_files.h"
#include "core/io/bytes/whole_file.h"
#include "core/method/run_result.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"

#include <QFileInfo>
#include <QMessageBox>
#include <QObject>

#include <utility>

namespace vqscope {
namespace {

constexpr auto weights = "safetensors";

}  // namespace

void LastRun::put(TrainedRun run) {
  const std::lock_guard lock(m_mutex);
  m_run = std::move(run);
}

std::optional<TrainedRun> LastRun::find(const Method& method, const ParameterValues& values) const {
  const std::lock_guard lock(m_mutex);
  if (m_run.method != &method || m_run.values != values) return std::nullopt;
  return m_run;
}

std::map<std::string, QString> runPaths(const RunResult& result, const QString& path) {
  const QString suffix = QLatin1Char('.') + QLatin1String(weights);
  const QString base = path.endsWith(suffix, Qt::CaseInsensitive) ? path.chopped(suffix.size()) : path;
  std::map<std::string, QString> paths;
  for (const auto& [each, content] : result.contents)
    paths[each] = base + QLatin1Char('.') + QString::fromStdString(each);
  return paths;
}

Result<void> saveRun(const RunResult& result, const std::map<std::string, QString>& paths) {
  return guarded([&]() -> Result<void> {
    WholeFiles files;
    for (const auto& [suffix, path] : paths) {
      auto file = WholeFile::open(bytesOf(path));
      if (!file) return file.error();
      auto written = write_run_content(result.contents.at(suffix), **file, {});
      if (written) written = (*file)->flush();
      if (!written) return written;
      files.push_back(std::move(*file));
    }
    return commit(files);
  });
}

Result<QString> chooseAndSaveRun(const RunResult& result, QWidget* parent) {
  const QString path = chooseSavePath(parent, QObject::tr("Save model"), QStringLiteral("model.safetensors"),
                                      QObject::tr("Weights (*.safetensors)"), QLatin1String(weights));
  if (path.isEmpty()) return QString();
  const auto paths = runPaths(result, path);
  QStringList names, others;  // the dialog has confirmed the weights
  for (const auto& [suffix, each] : paths) {
    names.append(QFileInfo(each).fileName());
    if (suffix != weights && QFileInfo::exists(each)) others.append(names.back());
  }
  if (!others.isEmpty() &&
      QMessageBox::question(parent, QObject::tr("Save model"),
                            QObject::tr("Replace %1 too?").arg(others.join(QStringLiteral(", ")))) != QMessageBox::Yes)
    return QString();
  if (auto saved = saveRun(result, paths); !saved) return saved.error();
  return QObject::tr("Wrote %1").arg(names.join(QStringLiteral(", ")));
}

}  // namespace vqscope
