// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/curve_set.h"
#include "widgets/plot/plot_style.h"

#include <qcustomplot.h>

#include <optional>
#include <vector>

namespace vqscope {

/// Curves as a grid of small plots over the same axes: each has its curve in colour before all
/// others in grey, or bars alone if its x are categories. The grid takes the place of the plot's
/// axes, whose ranges and ticks it has.
class SmallMultiples : public QCPLayerable {
 public:
  /// From so many curves on, colours in one plot cannot be told apart.
  static constexpr std::size_t least = 9;

  /// Hidden; the plot owns it.
  explicit SmallMultiples(QCustomPlot& plot);

  /// A small plot: its curve, the title and the colour.
  struct Cell {
    std::size_t curve = 0;
    QString title;
    QColor colour;
  };
  void setCells(const CurveSet& curves, std::vector<Cell> cells, const PlotStyle& style);
  /// Whether cells of a readable size have room in the plot.
  bool fit() const;

  /// The curve of the cell at this place.
  std::optional<std::size_t> curveAt(const QPointF& position) const;
  /// The x at this place of a cell.
  std::optional<double> xAt(const QPointF& position) const;
  /// The sample that is read: every cell marks it and shows its value; nothing: none.
  bool setSample(const std::optional<std::size_t>& sample);
  /// This curve stands out in every cell; nothing: none.
  void setLit(const std::optional<std::size_t>& curve) { m_lit = curve; }

 protected:
  void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
  void draw(QCPPainter* painter) override;

 private:
  /// Where the cells are, in pixels.
  struct Grid {
    int columns = 0;  ///< 0: there is no room
    int rows = 0;
    QRectF place;  ///< of all cells with their titles
    QSizeF cell;   ///< of one plot without its title
  };
  struct Ticks {
    QVector<double> at;
    QVector<QString> labels;
  };
  /// One piece without gaps, in pixels from the upper left corner of a cell.
  using Lines = std::vector<QPolygonF>;

  double leastWidth() const;
  Grid gridIn(const QRectF& all) const;
  Grid grid() const;
  QRectF cellRect(const Grid& grid, std::size_t number) const;
  double heading() const;
  Ticks ticksOf(QCPAxis& axis, double pixels) const;
  double placeOf(const QCPAxis& axis, double value, double pixels) const;
  QPointF pointOf(std::size_t curve, std::size_t sample, const QSizeF& cell) const;
  Lines linesOf(std::size_t curve, const QSizeF& cell) const;
  QPolygonF bandOf(std::size_t curve, const QSizeF& cell) const;
  QColor grey() const;
  /// All curves in grey, in the painter's pixels, because each cell has them all.
  QImage greyLines(const QCPPainter& painter, const QSizeF& cell, const std::vector<Lines>& lines) const;
  /// `others`: the grey lines; null: they are drawn as lines, for files of lines.
  void drawCell(QCPPainter& painter, const Cell& cell, const QRectF& rect, const std::vector<Lines>& lines,
                const QImage& others) const;
  void drawBars(QCPPainter& painter, const Cell& cell, const QSizeF& size) const;
  void drawGuides(QCPPainter& painter, const QSizeF& size) const;
  void drawTitle(QCPPainter& painter, const Cell& cell, const QRectF& rect) const;
  void drawAxes(QCPPainter& painter, const Grid& grid) const;

  QCustomPlot& m_plot;
  CurveSet m_curves;
  std::vector<Cell> m_cells;
  PlotStyle m_style;
  QFont m_font;
  std::optional<std::size_t> m_sample;
  std::optional<std::size_t> m_lit;
};

}  // namespace vqscope
