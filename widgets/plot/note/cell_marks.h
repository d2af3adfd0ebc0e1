// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plot/matrix_cursor.h"

#include <qcustomplot.h>
#include <QString>

#include <vector>

namespace vqscope {

struct Palette;

/// A cell with a note of somebody.
struct NotedCell {
  Cell cell;
  QString text;
  friend bool operator==(const NotedCell&, const NotedCell&) = default;
};

/// Marks cells of a MatrixPlot that have notes with a dot each. On a layer with its own buffer, above
/// the map and below the cursor.
class CellMarks : public QCPAbstractItem {
  Q_OBJECT
 public:
  explicit CellMarks(QCustomPlot* plot);

  void setStyle(const Palette& colours);
  void setNotes(std::vector<NotedCell> notes);
  const std::vector<NotedCell>& notes() const { return m_notes; }
  /// The note whose mark is at the place of the mouse; null: there is none.
  const NotedCell* noteAt(const QPointF& position) const;

  double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

 protected:
  void draw(QCPPainter* painter) override;

 private:
  QPointF pixelOf(const Cell& cell) const;

  std::vector<NotedCell> m_notes;
  QColor m_fill;
  QColor m_rim;
};

}  // namespace vqscope
