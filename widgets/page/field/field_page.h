// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "widgets/page/page_widget.h"
#include "widgets/plot/matrix_cursor.h"
#include "widgets/session/field_scheduler.h"
#include "widgets/view/compared_fields.h"

#include <QTimer>

#include <memory>

class QSplitter;
class QTabBar;
class QToolButton;

namespace vqscope {

class RelatedCurves;
class LinkedMaps;
class LookMenus;
class ProfileColumn;

/// Reads the cell under the mouse in the background: a block is counted, an experiment computes.
class CellReading : public QObject {
  Q_OBJECT
 public:
  explicit CellReading(QObject* parent);

  /// Replaces what is being read. done() follows.
  void read(const std::shared_ptr<const Field>& field, Cell cell);
  void stop();
  bool isBusy() const { return m_reading.isBusy(); }

 signals:
  /// An error is shown in the text of the report.
  void done(const std::shared_ptr<const vqscope::Field>& field, const vqscope::Cell& cell,
            const vqscope::CellReport& report);
  /// It takes long enough to be indicated.
  void slow();

 private:
  FieldScheduler m_reading;
  QTimer m_idleTimeout;
};

/// A page of field methods: one map, two maps to compare, or the linked maps of the method; beside
/// them the related curves and the profiles of row and column under the cursor.
class FieldPage : public PageWidget {
  Q_OBJECT
 public:
  FieldPage(Workbench& workbench, const PageInfo& info, QWidget* parent);

  void sync() override;
  void forget() override;
  void fit() override;
  void zoom(double factor) override;
  Result<void> goTo(Cell cell) override;
  Result<void> goToKey(Cell cell) override;
  std::optional<Extent> extent() const override;
  void lightTerm(const std::optional<std::size_t>& term, bool second) override;
  std::vector<ExportTarget> exportTargets() const override;
  bool hasMasks() const override;
  std::shared_ptr<const LintCase> lintCase() const override { return m_fields.lintCase(); }
  std::shared_ptr<const LintCase> secondLintCase() const override { return m_fields.secondLintCase(); }
  const Method* mainMethod() const override;
  std::shared_ptr<const Mask> mask() const override { return m_fields.mask(); }
  std::shared_ptr<const Mask> secondMask() const override { return m_fields.secondMask(); }
  std::shared_ptr<const BlockView> blocks() const override { return m_fields.blocks(); }
  Index firstQuery() const override;
  bool isBusy() const override;
  std::vector<QMenu*> menus() const override;
  void announce() override;
  void editNote(Cell cell) override;
  void editNoteHere() override;
  Result<void> setNote(Cell cell, const QString& text) override;

  /// The visible maps, in their order.
  std::vector<MatrixView*> maps() const;

 protected:
  bool hasResult() const override { return m_shown.has_value(); }
  Freshness madeFreshness() const override;
  void showFreshness() override;
  void changeEvent(QEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void make();
  void take(const ShownPage& of, Result<ComparedFields> made);
  /// Removes what is shown: it is of another session or method than requested.
  void clear();
  void connectMaps();
  void showMaps();
  void showTokens();
  void showNotes();
  void makeFolds();
  /// Arranges as many maps side by side as fit, and the curves if space remains. Where more than two
  /// maps would be too small, they and the curves are behind each other, with tabs.
  void arrange();
  /// Shows the map or the curves of that tab.
  void showTab(int tab);
  void showTabs(bool tabs);
  MatrixContent contentOf(const ComparedFields::Side& side) const;
  MatrixContent differenceContent() const;
  void showRelated();
  void showProfiles();
  void onPicking(std::size_t map, Cell cell);
  void showCell();
  void showReport(Cell cell, CellReport report);
  void showCurveReadout(const Method* method, const std::optional<CellReport>& report);
  void showFrame();
  std::vector<ExportTarget> mapTargets() const;
  /// The side of the map that was last under the mouse or in which a cell was picked.
  const ComparedFields::Side& readSide() const;
  /// The field of that side, or the difference if it is shown.
  std::shared_ptr<const Field> readField() const;
  /// The name of its map among several; empty: it is the only one.
  QString readName() const;

  FieldScheduler m_making;
  CellReading m_reading;
  std::optional<ShownPage> m_requested;  ///< the state made last or being made, without its range
  QString m_refusal;                     ///< why it could not be made
  LinkedMaps* m_maps;
  LookMenus* m_look;
  ProfileColumn* m_profiles;
  QSplitter* m_across;
  QTabBar* m_tabs;
  QToolButton* m_curvesFold = nullptr;  ///< shows the curves where the page is too narrow for both
  bool m_many = false;                  ///< more than two maps are arranged
  ComparedFields m_fields;              ///< the fields of m_shown
  RelatedCurves* m_related;
  bool m_relatedLeft = false;  ///< related curves were stopped when the page was hidden
  QTimer m_profileTimer;
  QTimer m_turning;  ///< until the maps of another method are removed; a method that comes at once replaces them
  std::optional<ShownPage> m_shown;  ///< the state on screen, without its range
  bool m_recolours = false;          ///< for another theme, soon
  TokenTexts m_tokens;               ///< on screen
};

}  // namespace vqscope
