// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/view/compared_fields.h"
#include "widgets/view/workspace_page.h"

#include <QTimer>

class QSplitter;
class QToolButton;

namespace vqscope {

class CurveView;
class ProfileColumn;

/// A page of field methods: one map, or two to compare, whose cursor and range are linked; beside them the curves that
/// explain the method and the profiles of the row and the column under the cursor.
class FieldPage : public WorkspacePage {
  Q_OBJECT
 public:
  FieldPage(Workbench& workbench, const WorkspaceInfo& info, QWidget* parent);

  void sync() override;
  void fit() override;
  void zoom(double factor) override;
  Result<void> goTo(Cell cell) override;
  Result<void> goToKey(Cell cell) override;
  std::optional<Extent> extent() const override;
  std::vector<ExportTarget> exportTargets() const override;
  std::shared_ptr<const ContractCase> contractCase() const override;
  const Method* mainMethod() const override;
  std::shared_ptr<const Mask> mask() const override;
  std::shared_ptr<const Mask> secondMask() const override;
  std::shared_ptr<const BlockView> blocks() const override;
  bool isBusy() const override;
  void showProblem(const QString& sentence) override;
  void announce() override;

  /// The maps that are shown, A first.
  std::vector<MatrixView*> maps() const;

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  MatrixView* addMap();
  void addCompanions();
  void showMaps();
  MatrixContent contentOf(const ComparedFields::Side& side, const QString& prefix) const;
  MatrixContent differenceContent() const;
  void showCompanions();
  void showProfiles();
  void onHovered(MatrixView* view, const std::optional<Cell>& cell);
  void onPicked(MatrixView* view, Cell cell);
  void pick(MatrixView* view, Cell cell);
  void forgetCells();
  void onRangeChanged(MatrixView* from, const std::optional<ViewRange>& range);
  void showCell();
  void showCurveReadout(const Method* method, const std::optional<CellReport>& report);
  void showFrame(const MatrixView* view);
  /// The map that was last under the mouse or picked in, the difference where it is shown.
  std::shared_ptr<const Field> readField() const;
  QString readSide() const;

  QSplitter* m_maps;
  MatrixView* m_viewA;
  MatrixView* m_viewB;
  MatrixView* m_read;  ///< the one whose cell is told
  ComparedFields m_fields;
  QToolButton* m_link = nullptr;
  std::vector<CurveView*> m_companions;
  ProfileColumn* m_profiles;
  QTimer m_profileTimer;
  std::optional<WorkspaceState> m_shown;
  std::optional<Cell> m_hovered;
  std::optional<Cell> m_picked;
  bool m_linked = true;
};

}  // namespace vqscope
