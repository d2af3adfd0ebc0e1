// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/figure/figure_editor.h"

namespace vqscope {

class PageStack;

/// Exports the page in front as files, or copies the command line that writes them.
class PageExport : public QObject {
  Q_OBJECT
 public:
  PageExport(Workbench& workbench, PageStack& pages, QWidget* window);

  /// Shows the editor with this view alone.
  void exportTarget(const ExportTarget& target);
  /// Shows the editor with the pinned views, else with the main target of the page.
  void exportPage();
  /// Keeps a view as a panel of the next figure.
  void pinTarget(const ExportTarget& target);
  /// The main target of the page; of a comparison both sides.
  void pinPage();
  /// Asks for the printer, and prints the view.
  void printPage();
  void copyCommandLine();
  /// Asks for a file for the lists of blocks of the page's mask, and writes it.
  void exportBlockLists();
  /// The same for a known file.
  void writeBlockListsTo(const QString& path);

 signals:
  void notified(const QString& sentence, bool bad);

 private:
  void exportSurvey();
  std::vector<FigureView> pageViews(std::size_t asked) const;
  std::vector<FigureView> pinnedViews(bool chosen) const;
  std::vector<FigureOffer> offers() const;
  /// The curves on screen of a view that is pinned: a measurement is not made again.
  void keepCurves(const FigureView& view);
  std::size_t indexOf(const ExportTarget& target) const;
  void edit(std::vector<FigureView> views);
  void keepPins(const QString& title, std::vector<PinnedView> pins);
  void pin(const std::vector<FigureView>& views);
  /// The target of the export and of the command line. Reports a page without numbers.
  std::optional<ExportTarget> mainTarget();

  Workbench& m_workbench;
  PageStack& m_pages;
  QWidget* m_window;
  std::vector<FigureView> m_measured;  ///< with their curves
  FigureChoices m_choices{.followsWidth = true};
};

}  // namespace vqscope
