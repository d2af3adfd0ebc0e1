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

/// What points at cells of a MatrixPlot: lines across the one under the mouse, a box around the picked one. On a layer
/// with a buffer of its own, so that they move without the map being painted again.
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
