// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace vqscope {

/// A table that a widget paints itself: what a screen reader needs of the rows that are on screen. The
/// widget derives from it.
class PaintedTable {
 public:
  virtual ~PaintedTable() = default;
  virtual int shownRows() const = 0;
  virtual int shownColumns() const = 0;
  virtual QString titleOfColumn(int column) const = 0;
  virtual QString textOfCell(int row, int column) const = 0;
  /// -1: none that is on screen.
  virtual int currentRow() const = 0;
};

/// From now on widgets with a painted table are tables to screen readers. Can be called again.
void makePaintedTablesAccessible();

}  // namespace vqscope
