// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/lint/lint_case.h"
#include "core/mask/map/block_view.h"
#include "core/mask/mask.h"
#include "core/method/coming_curves.h"
#include "widgets/parts/freshness.h"
#include "widgets/session/workbench.h"
#include "widgets/view/matrix_view.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QMenu;

namespace vqscope {

/// State of the last painted view, for the status line.
struct FrameReport {
  Freshness freshness = {};  ///< freshness of the painted result
  bool exact = true;
  double milliseconds = 0;
  double bytes = 0;
};

/// The cell under the mouse, or the picked cell.
struct Readout {
  const Method* method = nullptr;  ///< the method of the values
  CellReport report;
  std::optional<ParameterValues> values = {};  ///< values of the method at this place; nothing: those of the page
};

/// One part of a page that can be exported.
struct ExportTarget {
  const Method* method = nullptr;
  ParameterValues values;
  std::optional<ViewRange> view;  ///< for a matrix: the visible range, if it is not the whole
  std::string name = {};          ///< the name of one of several linked maps: exact
  /// Curves of a method that are on the screen, if they are of these values.
  std::shared_ptr<const CurveSet> curves = {};
  ComingCurves coming = {};  ///< those that the page is computing for these values
};

/// The views of one page. sync() shows the state of the session; signals report the cell under the
/// mouse.
class PageWidget : public QWidget {
  Q_OBJECT
 public:
  PageWidget(Workbench& workbench, const PageInfo& info, QWidget* parent)
      : QWidget(parent), m_workbench(workbench), m_info(info) {}

  virtual void sync() = 0;
  /// Another session was opened: nothing on screen belongs to it. sync() follows once the page is
  /// in front.
  virtual void forget() {}
  virtual void fit() = 0;
  virtual void zoom(double factor) = 0;
  /// Goes to a cell and picks it. An error if the cell is outside the matrix, or if there is no
  /// matrix (yet).
  virtual Result<void> goTo(Cell cell) = 0;
  /// The same for a query and a key of mask(). If blocks are shown, this is another cell of the
  /// matrix.
  virtual Result<void> goToKey(Cell cell) { return goTo(cell); }
  /// Rows and columns of the matrix on screen, or nothing.
  virtual std::optional<Extent> extent() const = 0;
  virtual std::vector<ExportTarget> exportTargets() const = 0;
  /// Asks for the note on a cell of the matrix, and keeps it in the session.
  virtual void editNote(Cell) {}
  /// The same for the cell under the mouse, else the picked one.
  virtual void editNoteHere() { emit notified(tr("Notes are for cells of a map, and this page has none"), true); }
  /// Keeps a note without asking; an empty text removes it.
  virtual Result<void> setNote(Cell, const QString& /*text*/) { return {}; }
  /// Whether parameters and inspector belong beside the page.
  virtual bool hasSides() const { return true; }
  /// Whether this is a page of masks; the first mask may still be in preparation.
  virtual bool hasMasks() const { return false; }
  /// The mask on screen with its expected mask; null if there is no mask.
  virtual std::shared_ptr<const LintCase> lintCase() const { return nullptr; }
  /// The same of the mask to compare with.
  virtual std::shared_ptr<const LintCase> secondLintCase() const { return nullptr; }
  /// The method that the inspector explains; there is always one.
  virtual const Method* mainMethod() const = 0;
  /// The mask on screen, and the mask to compare with; null on pages of other matrices.
  virtual std::shared_ptr<const Mask> mask() const { return nullptr; }
  virtual std::shared_ptr<const Mask> secondMask() const { return nullptr; }
  /// The blocks of mask(), if they are shown.
  virtual std::shared_ptr<const BlockView> blocks() const { return nullptr; }
  /// Highlights the cells that a term masks, on the map of that side; nothing: all are alike.
  virtual void lightTerm(const std::optional<std::size_t>& /*term*/, bool /*second*/) {}
  /// Whether no work is running or waiting.
  virtual bool isBusy() const = 0;

  /// Why typed values are not in the session; empty: the form shows the session's values.
  void setDraftProblem(const QString& sentence) {
    m_draftProblem = sentence;
    showFreshness();
  }
  /// Why the present content of a file that the page shows is not on screen; empty: it is.
  void setFileProblem(const QString& sentence) {
    m_fileProblem = sentence;
    showFreshness();
  }
  /// Freshness of extent(), mask(), blocks() and related results against the values in the form and
  /// the files that they name.
  Freshness freshness() const;
  /// Emits the last readout and frame report again, because the page has come to the front.
  virtual void announce() = 0;

  const PageInfo& info() const { return m_info; }
  /// Tokens of the cache, before the first query.
  virtual Index firstQuery() const { return 0; }
  /// Texts of the sequence's tokens.
  const TokenTexts& tokens() const { return m_workbench.session().subject.tokens; }

  /// Menus of the page's look, which the search lists.
  virtual std::vector<QMenu*> menus() const { return {}; }

 signals:
  /// Empty: the mouse has left, and no cell is picked.
  void readoutShown(const std::optional<vqscope::Readout>& readout);
  /// A query and a key of mask() if there is a mask, else a cell of the matrix.
  void cellPicked(const vqscope::Cell& cell);
  /// The readout of the cell under the mouse is still being computed.
  void readoutPending();
  void frameShown(const vqscope::FrameReport& report);
  /// extent(), mask(), blocks() or lintCase() has changed.
  void answered();
  /// freshness() may have changed.
  void freshnessChanged();
  void exportRequested(const vqscope::ExportTarget& target);
  /// A view is to be a panel of a figure.
  void pinRequested(const vqscope::ExportTarget& target);
  /// One sentence for the message bar.
  void notified(const QString& sentence, bool bad);
  /// Work ended that may have been going on for long; `words`: how, in one sentence. Emitted by a
  /// hidden page too.
  void workEnded(const QString& title, const QString& words, double seconds);
  /// hasSides() has changed.
  void sidesChanged();
  /// Emitted to open the dialog in which a cell is entered.
  void goToRequested();
  /// Emitted to show a method with some values, on its own page.
  void viewRequested(const QString& method, const vqscope::ParameterValues& values);

 protected:
  /// Whether a result of the method and the session is on screen, be it an old one.
  virtual bool hasResult() const { return true; }
  /// Freshness of the shown result against the session.
  virtual Freshness madeFreshness() const { return {}; }
  /// Marks the shown result by freshness(), and emits the change.
  virtual void showFreshness() { emit freshnessChanged(); }
  /// The axes that the user chose for a curve method of the page.
  std::optional<CurveAxes> axesOf(const std::string& method) const {
    const auto chosen = state().axes.find(method);
    return chosen == state().axes.end() ? std::nullopt : std::optional(chosen->second);
  }
  const ShownPage& state() const { return m_workbench.page(m_info.id); }

  Workbench& m_workbench;
  const PageInfo& m_info;

 private:
  QString m_draftProblem;
  QString m_fileProblem;
};

/// Makes the widget of a page: maps if it has field methods, else curves, and the survey if it has
/// neither.
PageWidget* makePage(Workbench& workbench, const PageInfo& info, QWidget* parent);

}  // namespace vqscope
