// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/registry.h"
#include "tests/support/mouse.h"
#include "widgets/view/matrix_view.h"

#include <qcustomplot.h>

#include <QApplication>
#include <QSignalSpy>
#include <QTest>

namespace vqscope::test {

inline MatrixContent contentOf(const char* id, const ParameterValues::Map& set) {
  const Method& method = *find_method(id);
  ParameterValues values = default_values(method.parameters, set);
  const auto field = make_field(method, values).value();
  return {.title = "A",
          .rowTitle = "query",
          .colTitle = "key",
          .field = field,
          .scale = colourScale(method, field, values, {}, false)};
}

/// The plot of a view, and where its cells are.
class Plot {
 public:
  explicit Plot(QWidget& view) : m_plot(view.findChild<QCustomPlot*>()) {}

  QCustomPlot* widget() const { return m_plot; }
  QRect rect() const { return m_plot->axisRect()->rect(); }
  QPointF cellAt(QPointF pixel) const {
    return {m_plot->xAxis2->pixelToCoord(pixel.x()), m_plot->yAxis->pixelToCoord(pixel.y())};
  }
  QPoint middleOf(Cell cell) const {
    return QPointF(m_plot->xAxis2->coordToPixel(static_cast<double>(cell.col)),
                   m_plot->yAxis->coordToPixel(static_cast<double>(cell.row)))
        .toPoint();
  }
  /// Lines of the cursor that are on screen.
  int cursorLines() const {
    int count = 0;
    for (int i = 0; i < m_plot->itemCount(); ++i)
      if (qobject_cast<QCPItemStraightLine*>(m_plot->item(i)) && m_plot->item(i)->visible()) ++count;
    return count;
  }
  /// The text beside a ruler; empty: there is none.
  QString shownText() const {
    for (int i = 0; i < m_plot->itemCount(); ++i)
      if (const auto* label = qobject_cast<QCPItemText*>(m_plot->item(i)); label && label->visible())
        return label->text();
    return {};
  }

 private:
  QCustomPlot* m_plot;
};

}  // namespace vqscope::test
