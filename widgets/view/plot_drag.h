// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPointF>
#include <QString>

#include <optional>
#include <vector>

class QCPAbstractItem;
class QCPAxis;
class QCPItemLine;
class QCPItemRect;
class QCPItemText;
class QCustomPlot;
class QMouseEvent;

namespace vqscope {

/// Drags with a key over a plot: with Shift, a box to zoom into; with Ctrl, a ruler from one point to
/// another, which stays until the next click. Painted on the layer of the cursor.
class PlotDrag {
 public:
  PlotDrag(QCustomPlot& plot, QCPAxis& x, QCPAxis& y) : m_plot(plot), m_x(x), m_y(y) {}
  virtual ~PlotDrag() = default;
  PlotDrag(const PlotDrag&) = delete;
  PlotDrag& operator=(const PlotDrag&) = delete;

  /// Each returns whether it takes the event.
  bool press(const QMouseEvent& event);
  bool move(const QMouseEvent& event);
  /// `zoomed`: whether there was a box to zoom into.
  bool release(const QMouseEvent& event, bool& zoomed);
  /// Whether there was a ruler.
  bool clearRuler();

 protected:
  /// Makes the items, which the plot owns: at first, and after it was cleared. A ruler stays where it
  /// is.
  void makeItems();
  /// Ends of the ruler are at places such as whole numbers.
  virtual QPointF snapped(const QPointF& point) const = 0;
  /// The text beside the ruler.
  virtual QString words(const QPointF& from, const QPointF& to) const = 0;
  /// It must be seen on what the plot shows.
  virtual QColor rulerColour() const;
  /// Shows the box, in coordinates of the axes, from its upper left to its lower right corner.
  virtual void zoomInto(const QPointF& upperLeft, const QPointF& lowerRight) = 0;

  QCustomPlot& m_plot;
  QCPAxis& m_x;
  QCPAxis& m_y;

 private:
  enum class Kind { box, ruler };
  struct Ruler {
    QPointF from, to;  ///< in the coordinates of the axes
  };
  QPointF inside(const QPointF& position) const;
  QPointF coordinates(const QPointF& position) const;
  void showBox(const QPointF& to);
  void showRuler();
  void placeLabel(const QPointF& from, const QPointF& to);
  std::vector<QCPAbstractItem*> rulerItems() const;
  void replot() const;

  std::optional<Kind> m_kind;  ///< of the drag that is in progress
  QPointF m_from;              ///< in pixels
  std::optional<Ruler> m_ruler;
  QCPItemRect* m_box = nullptr;
  QCPItemLine* m_rim = nullptr;  ///< below the ruler, so that it is seen on any map
  QCPItemLine* m_line = nullptr;
  QCPItemText* m_label = nullptr;
};

}  // namespace vqscope
