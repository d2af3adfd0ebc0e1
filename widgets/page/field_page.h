// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/page/workspace_page.h"
#include "widgets/view/compared_fields.h"

#include <QTimer>

class QSplitter;

namespace vqscope {

class CurveView;
class LinkedMaps;
class ProfileColumn;

/// A page of field methods: one map, two to compare, or those that the method links; beside them the curves that
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
  bool hasMasks() const override;
  std::shared_ptr<const ContractCase> contractCase() const override { return m_fields.contractCase(); }
  const Method* mainMethod() const override;
  std::shared_ptr<const Mask> mask() const override { return m_fields.mask(); }
  std::shared_ptr<const Mask> secondMask() const override { return m_fields.secondMask(); }
  std::shared_ptr<const BlockView> blocks() const override { return m_fields.blocks(); }
  bool isBusy() const override;
  void announce() override;

  /// The maps that are shown, in their order.
  std::vector<MatrixView*> maps() const;

 protected:
  Freshness madeFreshness() const override;
  void showFreshness() override;
  void changeEvent(QEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void make();
  void take(const WorkspaceState& of, Result<ComparedFields> made);
  void connectMaps();
  void addCompanions();
  void showMaps();
  /// As many maps beside each other as there is room for, and the curves where they leave some.
  void arrange();
  MatrixContent contentOf(const ComparedFields::Side& side) const;
  MatrixContent differenceContent() const;
  void showCompanions();
  void showProfiles();
  void onPicking(std::size_t map, Cell cell);
  void showCell();
  void showReport(Cell cell, CellReport report);
  void showCurveReadout(const Method* method, const std::optional<CellReport>& report);
  void showFrame();
  std::vector<ExportTarget> mapTargets() const;
  /// The side whose map was last under the mouse or picked in.
  const ComparedFields::Side& readSide() const;
  /// Its field, the difference where that is shown.
  std::shared_ptr<const Field> readField() const;
  /// What tells its map from the others; empty: it is the only one.
  QString readName() const;

  FieldScheduler m_making;
  FieldScheduler m_reading;
  QTimer m_readingPatience;
  std::optional<WorkspaceState> m_asked;  ///< made last, or being made; without its range
  QString m_refusal;                      ///< why nothing came of it
  LinkedMaps* m_maps;
  ProfileColumn* m_profiles;
  QSplitter* m_across;
  bool m_many = false;      ///< more maps than two are arranged
  ComparedFields m_fields;  ///< of m_shown
  std::vector<CurveView*> m_companions;
  bool m_companionsLeft = false;  ///< stopped when the page was left
  QTimer m_profileTimer;
  std::optional<WorkspaceState> m_shown;  ///< what is on screen; without its range
};

}  // namespace vqscope
