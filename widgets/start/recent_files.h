// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QDateTime>
#include <QString>

#include <string_view>
#include <vector>

namespace vqscope {

struct RecentFile {
  QString path;  ///< absolute
  QDateTime when;
  friend bool operator==(const RecentFile&, const RecentFile&) = default;
};

/// The files that were opened last, newest first, at most 20, kept in a file of their own between
/// two starts.
class RecentFiles {
 public:
  static constexpr std::size_t most = 20;

  /// Reads the list from `storePath`. A list that cannot be read is empty; entries that are no
  /// paths are left out.
  explicit RecentFiles(QString storePath);

  /// Puts a file first and keeps the list. Files that the program contains (":/…") are not listed.
  /// An error of writing is that of the file system; the list in memory has the file anyway.
  Result<void> add(const QString& path, const QDateTime& when = QDateTime::currentDateTime());
  Result<void> clear();

  /// All of them, whether they are still there or not.
  const std::vector<RecentFile>& all() const { return m_files; }
  /// Those that are still there. Asks the file system.
  std::vector<RecentFile> existing() const;

 private:
  void read();
  Result<void> write() const;

  QString m_storePath;
  std::vector<RecentFile> m_files;
};

/// The list in a file of RecentFiles; input is not trusted.
std::vector<RecentFile> recentFilesFromJson(std::string_view json, const QDateTime& now);

/// The folder of a file, with ~ for the user's own: "~/models/qwen".
QString folderText(const QString& path);

/// "today", "yesterday", "Fri", "3 Mar", "2023".
QString dayText(const QDateTime& when, const QDateTime& now);

}  // namespace vqscope
