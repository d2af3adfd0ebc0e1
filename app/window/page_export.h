// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/dialog/export_dialog.h"

namespace vqscope {

class PageStack;

/// Takes away what the page in front shows: as files, or as the command line that writes them.
class PageExport : public QObject {
  Q_OBJECT
 public:
  PageExport(const Workbench& workbench, PageStack& pages, QWidget* window)
      : m_workbench(workbench), m_pages(pages), m_window(window) {}

  void exportTarget(const ExportTarget& target);
  /// The target that the page is about.
  void exportPage();
  void copyCommandLine();

 signals:
  void said(const QString& sentence, bool bad);

 private:
  /// What export and command line are of; on a page without numbers it says so.
  std::optional<ExportTarget> mainTarget();

  const Workbench& m_workbench;
  PageStack& m_pages;
  QWidget* m_window;
  ExportChoices m_choices;
};

}  // namespace vqscope
