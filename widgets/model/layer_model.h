// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/layer_schedule.h"

#include <QAbstractTableModel>

#include <vector>

namespace vqscope {

/// The layers of a model as rows of a table. Runs of equal layers are one row each when folded.
class LayerModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { number, mask, position, theta, scaling, rotated, extra, cache, columns };
  /// The ModelLayer of a row, as a pointer, for painting its mask.
  enum Role { layerRole = Qt::UserRole };

  explicit LayerModel(QObject* parent) : QAbstractTableModel(parent) {}

  void setSchedule(LayerSchedule schedule);
  void setTokens(Index tokens);
  void setFolded(bool folded);
  const LayerSchedule& schedule() const { return m_schedule; }
  Index tokens() const { return m_tokens; }

  /// The layers of a row; the row of a layer.
  Range layersOf(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
  int rowOf(Index layer) const;
  /// Whether a column has any content.
  bool isEmpty(Column column) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  void arrange();
  const ModelLayer& layerAt(int row) const;
  QString words(int row, Column column) const;

  LayerSchedule m_schedule;
  Index m_tokens = 1;
  bool m_folded = false;
  std::vector<Range> m_rows;
};

}  // namespace vqscope
