// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <optional>

class QCPItemRect;
class QCPItemStraightLine;
class QCustomPlot;

namespace vqscope {

struct Palette;

struct Cell {
  Index row = 0;
  Index col = 0;
  friend bool operator==(const Cell&, const Cell&) = default;
};

/// Whether a matrix of this size has the cell: one that was picked stays picked while the matrix is
/// smaller.
inline bool isIn(Cell cell, Extent size) {
  return cell.row >= 0 && cell.row < size.rows && cell.col >= 0 && cell.col < size.cols;
}

/// Marks cells of a MatrixPlot: lines through the cell under the mouse, a box around the picked
/// cell. On a layer with its own buffer, so that the map is not painted again when they move.
class MatrixCursor {
 public:
  explicit MatrixCursor(QCustomPlot& plot);

  void setStyle(const Palette& colours);
  void show(const std::optional<Cell>& hovered, const std::optional<Cell>& picked);

 private:
  QCPItemStraightLine* addLine();

  QCustomPlot& m_plot;
  QCPItemStraightLine* m_rowLine;
  QCPItemStraightLine* m_colLine;
  QCPItemRect* m_box;
};

}  // namespace vqscope
