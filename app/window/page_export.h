// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/figure/figure_editor.h"

namespace vqscope {

class PageStack;

/// Exports the page in front as files, or copies the command line that writes them.
class PageExport : public QObject {
  Q_OBJECT
 public:
  PageExport(Workbench& workbench, PageStack& pages, QWidget* window)
      : m_workbench(workbench), m_pages(pages), m_window(window) {}

  void exportTarget(const ExportTarget& target);
  /// The main target of the page.
  void exportPage();
  /// Asks for the printer, and prints the view.
  void printPage();
  void copyCommandLine();

 signals:
  void notified(const QString& sentence, bool bad);

 private:
  void exportSurvey();
  std::vector<FigureView> viewsFor(const std::vector<ExportTarget>& targets, std::size_t asked) const;
  /// The target of the export and of the command line. Reports a page without numbers.
  std::optional<ExportTarget> mainTarget();

  Workbench& m_workbench;
  PageStack& m_pages;
  QWidget* m_window;
  FigureChoices m_choices;
};

}  // namespace vqscope
