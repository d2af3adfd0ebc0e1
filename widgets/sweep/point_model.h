// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/sweep_run.h"

#include <QAbstractTableModel>

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace vqscope {

/// The number of points in each state.
struct PointTotals {
  Index points = 0;
  Index failed = 0;
  Index finished = 0;  ///< found or computed
  Index computed = 0;
  double fraction = 0;  ///< finished fraction of all points, including the progress of running ones
};

/// The points of a sweep, a line each: number, values that vary, state, seconds.
class PointModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  /// Role of the state cells: 0 to 1 while the point is running, else nothing.
  static constexpr int fractionRole = Qt::UserRole;

  using QAbstractTableModel::QAbstractTableModel;

  /// `finished`: seconds of the points whose runs exist. Null: no points.
  void setSweep(std::shared_ptr<const Sweep> sweep, const std::vector<std::optional<double>>& finished);
  void take(const std::map<Index, PointReport>& updates);
  /// Sets running and failed points to waiting.
  void rest();

  const PointReport& point(int row) const { return m_points[static_cast<std::size_t>(row)]; }
  PointTotals totals() const { return m_totals; }
  std::vector<Index> unfinished() const;
  std::optional<int> firstOf(PointState state) const;
  int stateColumn() const { return m_sweep ? static_cast<int>(m_sweep->varied.size()) + 1 : 1; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QString words(int row, int column) const;
  QString tip(int row, int column) const;
  QVariant alignment(int column) const;
  void count(const PointReport& report, int times);
  void set(const PointReport& report);
  void addUp();

  std::shared_ptr<const Sweep> m_sweep;
  std::vector<PointReport> m_points;
  PointTotals m_totals;
};

}  // namespace vqscope
