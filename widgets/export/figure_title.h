// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plot/plot_style.h"

#include <qcustomplot.h>

namespace vqscope {

/// The title above a figure's plot, in as many lines as the figure's width needs. It is as wide as
/// the figure, not as the plot: neither widens the other.
class FigureTitle : public QCPLayoutElement {
  Q_OBJECT
 public:
  FigureTitle(QCustomPlot* plot, const PlotStyle& style) : QCPLayoutElement(plot), m_style(style) {}

  const QString& text() const { return m_text; }
  void setText(const QString& text) { m_text = text; }

  QSize minimumOuterSizeHint() const override { return {1, height()}; }
  QSize maximumOuterSizeHint() const override { return {QWIDGETSIZE_MAX, height()}; }

 protected:
  void draw(QCPPainter* painter) override;

 private:
  QRect place() const;
  int height() const;

  PlotStyle m_style;
  QString m_text;
};

}  // namespace vqscope
