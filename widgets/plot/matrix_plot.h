// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/subject/token_texts.h"
#include "widgets/paint/lit_scale.h"
#include "widgets/plot/matrix_picture.h"
#include "widgets/plot/plot_style.h"

#include <QSizeF>
#include <QString>

#include <optional>

class QCustomPlot;

namespace vqscope {

class LegendElement;
class MatrixPlottable;
class RowStrip;
struct RowMarks;

/// Arranges a QCustomPlot to show a matrix: rows downwards from the top, columns along the top,
/// legend below. The window's view and the exporter's figure both use it.
class MatrixPlot {
 public:
  explicit MatrixPlot(QCustomPlot& plot);

  void setTitles(const QString& rows, const QString& cols);
  /// Whether the title of the upper axis is seen; it keeps its place.
  void showColumnTitle(bool shown);
  /// On the axes of tokens; numbers alone if there are no texts.
  void setTokens(const TokenTexts& texts, const TokenAxes& axes);
  void setStyle(const PlotStyle& style);
  /// The legend takes its space before there is a picture.
  void setScale(const ColourScale& scale);
  /// Beside the map.
  void setRowMarks(const std::optional<RowMarks>& marks);
  void setPicture(std::shared_ptr<const MatrixPicture> picture);
  const std::shared_ptr<const MatrixPicture>& picture() const;
  /// No map, axes and legend until the next picture.
  void clear();

  /// Axes with their titles, the names of colours, and the colour bar with its numbers; all at first.
  void setParts(bool axes, bool names, bool bar);

  /// Square cells for a range of that many rows and columns: the longer side fills the plot, the
  /// other side follows, with the map in the middle. Without a range, the map fills the plot. False if cells are not
  /// square, because the map would be too narrow to be seen.
  bool setAspect(const std::optional<QSizeF>& cells);

  void setRange(const ViewRange& range);
  ViewRange range() const;
  /// Size of the map in device-independent pixels; valid after the plot has been laid out.
  QSize mapSize() const;

  /// The part of the scale whose entry or colours of the legend are at this place of the plot.
  std::optional<ScalePart> legendPartAt(const QPointF& position) const;
  /// Part of the legend there: its name, or the value of the colour; empty: nothing.
  QString legendTipAt(const QPointF& position) const;

 private:
  void setVisible(bool visible);
  QMargins leastMargins() const;
  void centre();

  QCustomPlot& m_plot;
  MatrixPlottable* m_plottable;
  LegendElement* m_legend;
  RowStrip* m_strip;
  struct Titles {
    QString rows;
    QString cols;
  };
  std::shared_ptr<Titles> m_titles;  ///< in full; the plot shortens them where an axis is too short
  QSize m_viewport;                  ///< of the picture shown
};

/// Text in the title of a map whose setAspect() is false.
QString notSquare();

}  // namespace vqscope
