// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/sweep/point_model.h"

#include <QTableView>

namespace vqscope {

/// The points of a sweep, with a progress bar below the state of running points.
class PointTable : public QTableView {
  Q_OBJECT
 public:
  explicit PointTable(QWidget* parent = nullptr);

  PointModel* points() const { return m_model; }
  /// Fits the columns to their values; call it after a change of the sweep.
  void fitColumns();
  /// Scrolls to the running points, unless the user has scrolled elsewhere.
  void follow();

 signals:
  /// Emitted to open the run of a finished point.
  void opened(int point);

 private:
  PointModel* m_model;
  int m_followed = 0;  ///< position of the scroll bar after the last follow()
};

}  // namespace vqscope
