// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/report.h"
#include "widgets/plot/matrix_cursor.h"

#include <QObject>

#include <optional>

namespace vqscope {

class PageStack;
class Workbench;

/// Writes the page in front as a report: one file for people without the program.
class PageReport : public QObject {
  Q_OBJECT
 public:
  PageReport(const Workbench& workbench, PageStack& pages, QWidget* window)
      : m_workbench(workbench), m_pages(pages), m_window(window) {}

  /// Asks for the file.
  void writePage();
  /// The same for a known file, .html or .md.
  void write(const QString& path);

  /// A cell was picked on the page in front: its report explains that one.
  void setCell(const Cell& cell);
  void forgetCell() { m_cell.reset(); }

 signals:
  void notified(const QString& sentence, bool bad);

 private:
  ReportRequest request(const QString& path) const;

  const Workbench& m_workbench;
  PageStack& m_pages;
  QWidget* m_window;
  QString m_folder;  ///< of the last report; empty: the current directory
  std::optional<Cell> m_cell;
  const Method* m_method = nullptr;  ///< whose cell it is
};

}  // namespace vqscope
