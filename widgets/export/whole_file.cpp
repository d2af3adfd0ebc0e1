// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/whole_file.h"

#include <QFileInfo>

#include <unistd.h>
#include <cerrno>
#include <cstring>

namespace vqscope {
namespace {

bool canBeReplaced(const QFileInfo& target) { return !target.exists() || target.isFile(); }

/// What QSaveFile says about a folder does not name the folder.
QString folderProblem(const QFileInfo& target) {
  const QFileInfo folder(target.absolutePath());
  if (target.isDir()) return "it is a directory";
  if (!folder.exists()) return "there is no directory " + folder.filePath();
  if (!folder.isDir()) return folder.filePath() + " is not a directory";
  return {};
}

}  // namespace

WholeFile::WholeFile(const QString& path) : m_path(path) {
  if (canBeReplaced(QFileInfo(path)))
    m_saved = std::make_unique<QSaveFile>(path);
  else
    m_direct.setFileName(path);
}

QFileDevice& WholeFile::device() { return isDirect() ? static_cast<QFileDevice&>(m_direct) : *m_saved; }

Error WholeFile::failure(const QString& reason) const {
  return {Errc::io, "cannot write " + m_path.toStdString() + ": " + reason.toStdString()};
}

Result<std::unique_ptr<WholeFile>> WholeFile::open(const QString& path) {
  std::unique_ptr<WholeFile> file(new WholeFile(path));
  if (const QString problem = folderProblem(QFileInfo(path)); !problem.isEmpty()) return file->failure(problem);
  if (!file->device().open(QIODevice::WriteOnly | QIODevice::Unbuffered))
    return file->failure(file->device().errorString());
  return file;
}

/// Past Qt's own buffer, which turns a write cut short by a full disk into "Unknown error".
Result<void> WholeFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(device().handle(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return failure(std::strerror(errno));
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> WholeFile::flush() {
  if (!isDirect() && ::fsync(device().handle()) != 0) return failure(std::strerror(errno));
  return {};
}

Result<void> WholeFile::commit() {
  if (isDirect() || m_saved->commit()) return {};
  return failure(m_saved->errorString());
}

}  // namespace vqscope
