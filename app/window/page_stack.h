// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/page/page_widget.h"
#include "widgets/session/workbench.h"

#include <QTimer>

#include <map>
#include <string>
#include <vector>

class QStackedWidget;

namespace vqscope {

class MaskSource;
class ParameterPanel;

/// The pages with their parameter panels. One page is in front. Pages are made when they are first
/// shown, so that the window appears at once. Signals of the page in front are forwarded.
class PageStack : public QObject {
  Q_OBJECT
 public:
  /// The widgets that it makes are for the window to place, and belong to it.
  PageStack(Workbench& workbench, QWidget* window);

  QStackedWidget* pages() const { return m_pageStack; }
  QStackedWidget* panels() const { return m_panelStack; }

  /// Brings a page to the front. Returns whether another was in front. sync() updates its contents.
  bool show(const std::string& id);
  void sync();

  /// The page in front; call show() first.
  PageWidget* page() const { return m_shown->page; }
  ParameterPanel* panel() const { return m_shown->panel; }

  /// The source of the page of masks, which need not be in front.
  MaskSource* maskSource();

  /// Whether the file of a mask is being read for a page that is not in front.
  bool isReading() const;
  void stopReading();

  /// Pages behind the one in front that were shown before, in the order of the tabs.
  std::vector<PageWidget*> behind() const;

  /// Another session was opened: nothing on the pages and in their forms belongs to it.
  void forget();

  /// Makes the pictures of these pages anew, as if nothing were on screen: files that they read have
  /// changed.
  void makeAnew(const std::vector<std::string>& ids);
  /// Why the present content of a file that the page reads is not on screen; empty: it is.
  void setFileProblem(const std::string& id, const QString& sentence);

  /// Commits what is typed in a form or a box of a page but not entered yet.
  void enterTyped();
  /// True, with a message, if the result of the page in front is outdated because of an error.
  bool refuses();

 signals:
  void readoutShown(const std::optional<vqscope::Readout>& readout);
  void readoutPending();
  void cellPicked(const vqscope::Cell& cell);
  void frameShown(const vqscope::FrameReport& report);
  void answered();
  void freshnessChanged();
  void sidesChanged();
  void exportRequested(const vqscope::ExportTarget& target);
  void pinRequested(const vqscope::ExportTarget& target);
  void viewRequested(const QString& method, const vqscope::ParameterValues& values);
  /// A file that was to be a mask holds queries, keys or values.
  void tensorsRequested(const QString& path);
  /// The user opens the file of a mask.
  void fileRequested();
  /// The file of a mask takes long to read; then: it is read, or the reading was stopped.
  void readingLasts(const QString& sentence);
  void readingEnded();
  /// The samples of the file that a page shows one of are others, or are checked.
  void samplesChecked();
  /// A file that the user opened is the mask of the page of masks.
  void maskOpened(const QString& file);
  /// A page was made, because it is shown for the first time.
  void made(vqscope::PageWidget* page);
  void goToRequested();
  /// A side of a comparison was chosen for the form.
  void sideTurned();
  void notified(const QString& sentence, bool bad);

 private:
  struct Entry {
    PageWidget* page = nullptr;
    ParameterPanel* panel = nullptr;
  };

  Entry& entryOf(const std::string& id);
  void prepareMasks();
  void forwardSignals(PageWidget* page);
  template <class... Arguments>
  void forwardSignals(PageWidget* page, void (PageWidget::*from)(Arguments...), void (PageStack::*to)(Arguments...));

  Workbench& m_workbench;
  QWidget* m_window;
  QStackedWidget* m_pageStack;
  QStackedWidget* m_panelStack;
  QTimer m_preparing;
  std::map<std::string, Entry> m_entries;
  std::map<std::string, QString> m_fileProblems;  ///< by page, also of pages that are not made yet
  Entry* m_shown = nullptr;                       ///< one of them
};

/// A page of a kind that a part of this build adds; null for a page that makePage makes. Defined in
/// app/window_parts.cpp, which is linked with the window.
PageWidget* makeAddedPage(Workbench& workbench, const PageInfo& info, QWidget* parent);

}  // namespace vqscope
