// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/figure/figure_export.h"

#include "widgets/dialog/export_run.h"
#include "widgets/figure/figure_editor.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"

#include <QDir>
#include <QFileInfo>
#include <QMessageBox>

#include <algorithm>

namespace vqscope {
namespace {

/// The path of each format, in the folder and with the name of the first.
QStringList pathsBeside(const QString& first, const QStringList& formats) {
  QStringList paths{first};
  const QString suffix = QLatin1Char('.') + formats.front();
  const QString stem = first.endsWith(suffix, Qt::CaseInsensitive) ? first.chopped(suffix.size()) : first;
  for (const QString& format : formats.mid(1)) paths << stem + QLatin1Char('.') + format;
  return paths;
}

/// The file dialog has asked about the first.
bool mayReplace(const QStringList& paths, QWidget* parent) {
  QStringList there;
  for (const QString& path : paths.mid(1))
    if (QFileInfo::exists(path)) there << QFileInfo(path).fileName();
  if (there.isEmpty()) return true;
  const auto answer = QMessageBox::question(parent, QObject::tr("Replace files"),
                                            QObject::tr("Replace %1?").arg(there.join(QObject::tr(" and "))));
  return answer == QMessageBox::Yes;
}

QStringList choosePaths(const FigureEditor& editor, QWidget* parent) {
  const QStringList formats = editor.formats();
  const QString& format = formats.front();
  const QString filter = QStringLiteral("%1 (*.%2)").arg(format.toUpper(), format);
  const QString name = editor.suggestedName() + QLatin1Char('.') + format;
  const QString title = formats.size() == 1
                            ? QObject::tr("Export")
                            : QObject::tr("Export as %1").arg(formats.join(QStringLiteral(", ")).toUpper());
  const QString path = chooseSavePath(parent, title, QDir(editor.choices().folder).filePath(name), filter, format);
  if (path.isEmpty()) return {};
  const QStringList paths = pathsBeside(path, formats);
  return mayReplace(paths, parent) ? paths : QStringList();
}

}  // namespace

Result<QStringList> exportFigure(const FigureEditor& editor, QWidget* parent) {
  auto request = editor.request();
  if (!request) return request.error();
  if (editor.formats().isEmpty()) return invalid("choose at least one format");
  const QStringList paths = choosePaths(editor, parent);
  if (paths.isEmpty()) return QStringList();
  ExportRun run(paths.front(), parent);
  request->offload = run.offload();
  std::vector<std::string> files;
  for (const QString& path : paths) files.push_back(bytesOf(path));
  const auto write = [&] {
    return export_files(
        *request, files, [&run](double fraction) { run.setFraction(fraction); }, run.token());
  };
  auto written = write();
  const bool hasNumbers =
      std::ranges::any_of(editor.formats(), [](const QString& format) { return !is_figure_format(bytesOf(format)); });
  if (!written && written.error().code == Errc::too_large && hasNumbers) {
    const auto answer = QMessageBox::question(parent, QObject::tr("Large export"),
                                              text(written.error().message) + QObject::tr(". Write it anyway?"));
    if (answer != QMessageBox::Yes) return QStringList();
    request->force = true;
    written = write();
  }
  if (written) return paths;
  return written.error().code == Errc::cancelled ? Result<QStringList>(QStringList())
                                                 : Result<QStringList>(written.error());
}

}  // namespace vqscope
