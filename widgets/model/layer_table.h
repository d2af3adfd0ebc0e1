// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/layer_schedule.h"

#include <QWidget>

#include <vector>

class QCheckBox;
class QLabel;
class QPushButton;
class QTableView;

namespace vqscope {

class LayerModel;
class MaskBarDelegate;

/// The layers of a model as a table. Enter, a double click or the buttons open the mask of the
/// current layer or its phases.
class LayerTable : public QWidget {
  Q_OBJECT
 public:
  explicit LayerTable(QWidget* parent = nullptr);

  void setSchedule(const LayerSchedule& schedule);
  /// Length of the sequence, for the caches and the pictures of masks.
  void setTokens(Index tokens);
  /// Makes a layer the current one, without a signal; -1: none.
  void showLayer(Index layer);
  /// -1: none. The first one of a folded row.
  Index currentLayer() const;
  void setFolded(bool folded);
  /// In which no column is cut.
  int wholeWidth() const;

 signals:
  void layerChosen(int layer);
  void maskRequested(int layer);
  void phasesRequested(int layer);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makeButtons();
  void fitColumns();
  /// Hides columns that have no room: the tip of a layer has their words too.
  void fitWidth();
  int frameWidth() const;
  void updateButtons();
  void openMenu(const QPoint& at);
  bool hasPhases(Index layer) const;

  LayerModel* m_model;
  MaskBarDelegate* m_bars;
  QTableView* m_view;
  std::vector<int> m_widths;  ///< of the columns' contents; 0: empty
  QLabel* m_summary;
  QCheckBox* m_fold;
  QPushButton* m_mask = nullptr;
  QPushButton* m_phases = nullptr;
};

/// "62 layers: 52 window 1 024, 10 full".
QString scheduleSummary(const LayerSchedule& schedule);

}  // namespace vqscope
