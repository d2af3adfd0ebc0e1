// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/lint/contract_case.h"
#include "core/mask/map/block_view.h"
#include "core/mask/mask.h"
#include "widgets/parts/freshness.h"
#include "widgets/session/workbench.h"
#include "widgets/view/matrix_view.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace vqscope {

/// What the status line says of the view that was painted last.
struct FrameReport {
  Freshness freshness = {};  ///< of what is painted
  bool exact = true;
  double milliseconds = 0;
  double bytes = 0;
};

/// What the mouse is on, or the picked cell.
struct Readout {
  const Method* method = nullptr;  ///< whose values they are
  CellReport report;
  std::optional<ParameterValues> values = {};  ///< that the method has there; nothing: the page's
};

/// One thing of a page that can be exported on its own.
struct ExportTarget {
  const Method* method = nullptr;
  ParameterValues values;
  std::optional<ViewRange> view;  ///< of a matrix: what is in view, when that is not all of it
  std::string name = {};          ///< of one of the maps that its method links: exact
};

/// The views of one workspace. It shows what the session says when sync() is called, and says what the mouse is on.
class WorkspacePage : public QWidget {
  Q_OBJECT
 public:
  WorkspacePage(Workbench& workbench, const WorkspaceInfo& info, QWidget* parent)
      : QWidget(parent), m_workbench(workbench), m_info(info) {}

  virtual void sync() = 0;
  virtual void fit() = 0;
  virtual void zoom(double factor) = 0;
  /// Goes to a cell and picks it; a sentence where it is outside of the matrix, or while there is none yet. Pages of
  /// curves have none.
  virtual Result<void> goTo(Cell cell) = 0;
  /// The same for a query and a key of mask(), which are another cell where blocks are shown.
  virtual Result<void> goToKey(Cell cell) { return goTo(cell); }
  /// Rows and columns of the matrix shown, or nothing.
  virtual std::optional<Extent> extent() const = 0;
  virtual std::vector<ExportTarget> exportTargets() const = 0;
  /// A page of masks, whose first may still be under way.
  virtual bool hasMasks() const { return false; }
  /// The mask that is shown and what is wanted of it; nothing where no mask is.
  virtual std::shared_ptr<const ContractCase> contractCase() const { return nullptr; }
  /// The method that the inspector explains; there is always one.
  virtual const Method* mainMethod() const = 0;
  /// The mask shown and the one it is compared to; nothing on pages of other matrices.
  virtual std::shared_ptr<const Mask> mask() const { return nullptr; }
  virtual std::shared_ptr<const Mask> secondMask() const { return nullptr; }
  /// The blocks of mask() where they are shown.
  virtual std::shared_ptr<const BlockView> blocks() const { return nullptr; }
  /// No work under way and nothing waiting.
  virtual bool isBusy() const = 0;

  /// Why what is typed is not of the session; empty: the form says what the session says.
  void setDraftProblem(const QString& sentence) {
    m_draftProblem = sentence;
    showFreshness();
  }
  /// Of extent(), mask(), blocks() and all that is told of them, against the values in the form.
  Freshness freshness() const {
    return m_draftProblem.isEmpty() ? madeFreshness() : Freshness::outdated(m_draftProblem);
  }
  /// Says again what was read last and how the last frame did: the page has come to the front.
  virtual void announce() = 0;

  const WorkspaceInfo& info() const { return m_info; }

 signals:
  /// Nothing: the mouse has left and no cell is picked.
  void readoutShown(const std::optional<vqscope::Readout>& readout);
  /// A query and a key of mask() where there is one, else a cell of the matrix.
  void cellPicked(const vqscope::Cell& cell);
  /// The readout of the cell under the mouse takes its time.
  void readoutPending();
  void frameShown(const vqscope::FrameReport& report);
  /// extent(), mask(), blocks() or contractCase() is another.
  void answered();
  /// freshness() may be another.
  void freshnessChanged();
  void exportRequested(const vqscope::ExportTarget& target);
  /// Another method is to be shown, on its own page.
  void methodAsked(const QString& id);

 protected:
  /// Of what is shown, against the session.
  virtual Freshness madeFreshness() const { return {}; }
  /// Marks what is shown by freshness(), and tells of it.
  virtual void showFreshness() { emit freshnessChanged(); }
  /// The axes that were chosen for a curve method of the page.
  std::optional<CurveAxes> axesOf(const std::string& method) const {
    const auto chosen = state().axes.find(method);
    return chosen == state().axes.end() ? std::nullopt : std::optional(chosen->second);
  }
  const WorkspaceState& state() const { return *find_workspace(m_workbench.session(), m_info.id); }

  Workbench& m_workbench;
  const WorkspaceInfo& m_info;

 private:
  QString m_draftProblem;
};

/// The page for a workspace: maps where it has field methods, curves alone otherwise, the survey where it has neither.
WorkspacePage* makeWorkspacePage(Workbench& workbench, const WorkspaceInfo& info, QWidget* parent);

}  // namespace vqscope
