// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/paint/lit_scale.h"
#include "widgets/plot/plot_style.h"

#include <qcustomplot.h>

#include <optional>

namespace vqscope {

/// The legend of a matrix, below its plot: swatches of buckets or of mask terms, or a ramp with
/// numbers. A layout element, so that windows and figures lay it out alike.
class LegendElement : public QCPLayoutElement {
  Q_OBJECT
 public:
  explicit LegendElement(QCustomPlot* plot) : QCPLayoutElement(plot) {}

  void setScale(const ColourScale& scale, bool hasNotANumber);
  /// At least this high, whatever the scale needs.
  void setLeastHeight(int height) { m_leastHeight = height; }
  void setStyle(const PlotStyle& style) { m_style = style; }
  /// Shows the names of colours, and the bar with its numbers; both at first.
  void setParts(bool names, bool bar);
  /// Left and right borders of the map above.
  void alignTo(const QCPAxisRect* map) { m_map = map; }

  QSize minimumOuterSizeHint() const override;
  QSize maximumOuterSizeHint() const override;

  /// The part of the scale at this place of the plot.
  std::optional<ScalePart> partAt(const QPointF& position) const;
  /// Its name, or the value of the ramp's colour there; empty: neither.
  QString tipAt(const QPointF& position) const;

 protected:
  void draw(QCPPainter* painter) override;

 private:
  struct Swatch {
    QRgb colour;
    QString text;
    bool heading = false;  ///< text only: a heading for the following swatches
    std::optional<ScalePart> part = {};
  };
  struct Caption {
    double at;  ///< fraction of the ramp's width
    QString text;
    QString brief = {};  ///< for a ramp that is too narrow for the texts of both ends; empty: the text
  };
  bool isNarrow() const;

  void addNumbers();
  QRectF ramp() const;
  double swatchTop() const;
  void drawRamp(QCPPainter& painter) const;
  void drawCategories(QCPPainter& painter) const;
  void drawCaptions(QCPPainter& painter) const;
  void drawSwatches(QCPPainter& painter, double top) const;
  /// The position of each swatch, line by line, below the map.
  QList<QPointF> swatchPlaces() const;
  double swatchWidth(const Swatch& swatch) const;
  /// The text of a swatch without its explanation, or cut, if the legend is narrower.
  QString fittingText(const Swatch& swatch) const;
  bool hasRamp() const {
    return m_bar && m_scale.kind != ValueScale::visibility && !m_scale.isMaskDifference() && !namesEachLabel(m_scale);
  }
  qsizetype shownSwatches() const { return m_names ? m_swatches.size() : 0; }
  QFont font() const;

  ColourScale m_scale;
  QList<Swatch> m_swatches;
  QList<Caption> m_captions;
  QList<QString> m_notes;
  PlotStyle m_style;
  const QCPAxisRect* m_map = nullptr;
  int m_leastHeight = 0;
  bool m_names = true;
  bool m_bar = true;
};

}  // namespace vqscope
