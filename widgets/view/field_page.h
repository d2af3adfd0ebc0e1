// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/curve/curve_set.h"
#include "widgets/session/field_scheduler.h"
#include "widgets/view/workspace_page.h"

#include <QTimer>

class QSplitter;
class QToolButton;

namespace vqscope {

class CurveView;

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
  std::optional<Extent> extent() const override;
  std::vector<ExportTarget> exportTargets() const override;
  std::shared_ptr<const ContractCase> contractCase() const override;
  const Method* mainMethod() const override;
  bool isBusy() const override;

  /// The maps that are shown, A first.
  std::vector<MatrixView*> maps() const;

 protected:
  void changeEvent(QEvent* event) override;

 private:
  struct Side {
    MatrixView* view = nullptr;
    std::string method;  ///< whose field it is
    std::shared_ptr<const Field> field;
    ParameterValues values;
  };

  MatrixView* addMap();
  void addSideViews(QSplitter* across);
  bool buildFields();
  void showMaps();
  MatrixContent contentOf(const Side& side, const QString& prefix) const;
  MatrixContent differenceContent() const;
  void showCompanions();
  void showProfiles();
  void onHovered(const std::optional<Cell>& cell);
  void onPicked(Cell cell);
  void onRangeChanged(MatrixView* from, const std::optional<ViewRange>& range);
  void showCell();
  const Field* shownField() const;

  QSplitter* m_maps;
  Side m_a;
  Side m_b;
  QToolButton* m_link = nullptr;
  std::vector<CurveView*> m_companions;
  CurveView* m_rowProfile = nullptr;
  CurveView* m_colProfile = nullptr;
  CurveView* m_visibleKeys = nullptr;
  FieldScheduler m_profiles;
  QTimer m_profileTimer;
  std::shared_ptr<const Field> m_difference;
  std::optional<WorkspaceState> m_shown;
  std::optional<Cell> m_hovered;
  std::optional<Cell> m_picked;
  bool m_linked = true;
};

}  // namespace vqscope
