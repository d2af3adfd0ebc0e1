// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/mask/contract_case.h"
#include "widgets/session/workbench.h"
#include "widgets/view/matrix_view.h"

#include <QWidget>

#include <optional>

namespace vqscope {

/// What the status line says of the view that was painted last.
struct FrameReport {
  bool exact = true;
  double milliseconds = 0;
  double bytes = 0;
};

/// One thing of a page that can be exported on its own.
struct ExportTarget {
  const Method* method = nullptr;
  ParameterValues values;
  std::optional<ViewRange> view;  ///< of a matrix: what is in view, when that is not all of it
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
  /// Goes to a cell and picks it; a sentence where it is outside of the matrix. Pages of curves have none.
  virtual Result<void> goTo(Cell cell) = 0;
  /// Rows and columns of the matrix shown, or nothing.
  virtual std::optional<Extent> extent() const = 0;
  virtual std::vector<ExportTarget> exportTargets() const = 0;
  /// The mask that is shown and what is wanted of it; nothing where no mask is.
  virtual std::shared_ptr<const ContractCase> contractCase() const { return nullptr; }
  /// The method that the inspector explains.
  virtual const Method* mainMethod() const = 0;
  /// No work under way and nothing waiting.
  virtual bool isBusy() const = 0;

  const WorkspaceInfo& info() const { return m_info; }

 signals:
  /// Nothing: the mouse has left and no cell is picked.
  void cellShown(const std::optional<vqscope::CellReport>& report);
  /// What the mouse is on in a plot of curves; nothing when it has left.
  void curveShown(const std::optional<vqscope::CellReport>& report);
  void frameShown(const vqscope::FrameReport& report);
  void exportRequested(const vqscope::ExportTarget& target);
  /// Why nothing new is shown: the picture is the last good one.
  void problem(const QString& sentence);

 protected:
  const WorkspaceState& state() const { return *findWorkspace(m_workbench.session(), m_info.id); }

  Workbench& m_workbench;
  const WorkspaceInfo& m_info;
};

/// The page for a workspace: maps where it has field methods, curves alone otherwise.
WorkspacePage* makeWorkspacePage(Workbench& workbench, const WorkspaceInfo& info, QWidget* parent);

}  // namespace vqscope
