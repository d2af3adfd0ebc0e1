// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/session/field_scheduler.h"
#include "widgets/session/file_watcher.h"

#include <QObject>

#include <map>
#include <string>
#include <vector>

namespace vqscope {

class PageStack;
class Workbench;

/// Watches the files of the tensors that pages use: queries, keys, values, biases, codebooks. A page
/// whose file has another content is computed anew; one whose file cannot be read is not up to date.
class TensorWatch : public QObject {
  Q_OBJECT
 public:
  TensorWatch(Workbench& workbench, PageStack& pages);

 signals:
  void notified(const QString& sentence, bool bad);

 private:
  struct Checked;

  /// The files of the session, whichever way they came, also by undo.
  void watch();
  void read(const QString& path);
  void take(const Checked& checked);
  std::vector<std::string> pagesWith(const QString& path) const;
  void showProblems();

  Workbench& m_workbench;
  PageStack& m_pages;
  FileWatcher m_watcher{this};
  FieldScheduler m_reading;
  QStringList m_waiting;                  ///< files to read
  std::map<QString, QString> m_problems;  ///< by path: why it cannot be read
  std::vector<std::string> m_marked;      ///< pages that are shown as not up to date
};

}  // namespace vqscope
