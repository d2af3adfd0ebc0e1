// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plot/plot_style.h"

#include <qcustomplot.h>

#include <algorithm>

namespace vqscope {

/// The title above a figure's plot, in as many lines as the figure's width needs, but at most a
/// third of its height. It is as wide as the figure, not as the plot: neither widens the other.
class FigureTitle : public QCPLayoutElement {
  Q_OBJECT
 public:
  FigureTitle(QCustomPlot* plot, const PlotStyle& style) : QCPLayoutElement(plot), m_style(style) {}

  const QString& text() const { return m_text; }
  void setText(const QString& text) { m_text = text; }
  /// "(a)" before the text; empty: none.
  void setLetter(const QString& letter) { m_letter = letter; }

  /// At least this high, as the titles beside it.
  void setLeastHeight(int height) { m_leastHeight = height; }
  /// The height that letter and text need.
  int ownHeight() const { return lines().place.height() + above; }

  QSize minimumOuterSizeHint() const override { return {1, height()}; }
  QSize maximumOuterSizeHint() const override { return {QWIDGETSIZE_MAX, height()}; }

 protected:
  void draw(QCPPainter* painter) override;

 private:
  /// The text as far as there are lines for it, and its place.
  struct Lines {
    QString text;
    QRect place;
  };
  Lines lines() const;
  QFont letterFont() const;
  int height() const { return std::max(m_leastHeight, ownHeight()); }

  static constexpr int above = 8;
  PlotStyle m_style;
  QString m_text;
  QString m_letter;
  int m_leastHeight = 0;
};

}  // namespace vqscope
