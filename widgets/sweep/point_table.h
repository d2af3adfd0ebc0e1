// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/sweep/point_model.h"

#include <QTableView>

namespace vqscope {

/// The points of a sweep with a bar under the state of those that are running.
class PointTable : public QTableView {
  Q_OBJECT
 public:
  explicit PointTable(QWidget* parent = nullptr);

  PointModel* points() const { return m_model; }
  /// Columns as wide as their values; to be called when the sweep is another.
  void fitColumns();
  /// Brings the points that are running into view, unless a person has scrolled elsewhere.
  void follow();

 signals:
  /// A person has asked for the run of a point that is finished.
  void opened(int point);

 private:
  PointModel* m_model;
  int m_followed = 0;  ///< where follow() has left the scroll bar
};

}  // namespace vqscope
