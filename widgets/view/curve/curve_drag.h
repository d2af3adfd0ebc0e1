// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/curve_set.h"

#include <QPointF>

#include <optional>

class QCPItemLine;
class QCPItemRect;
class QCPItemText;
class QCustomPlot;
class QMouseEvent;

namespace vqscope {

/// Drags with a key over curves: with Shift, a box that the axes then show; with Ctrl, a ruler from
/// one point to another, which stays until the next click. Painted on the layer of the cursor.
class CurveDrag {
 public:
  explicit CurveDrag(QCustomPlot& plot) : m_plot(plot) {}

  /// After the plot was cleared, for these curves: the ruler stays where it is.
  void renew(const CurveSet& curves);
  /// Each returns whether it takes the event.
  bool press(const QMouseEvent& event);
  bool move(const QMouseEvent& event);
  /// `zoomed`: whether the axes show another range now.
  bool release(const QMouseEvent& event, bool& zoomed);
  /// Whether there was a ruler.
  bool clearRuler();

 private:
  enum class Kind { box, ruler };
  QPointF inside(const QPointF& position) const;
  QPointF coordinates(const QPointF& position) const;
  void showBox(const QPointF& to);
  void showRuler();
  void replot() const;

  QCustomPlot& m_plot;
  std::optional<Kind> m_kind;  ///< of the drag that is in progress
  QPointF m_from;              ///< in pixels
  struct Ruler {
    QPointF from, to;  ///< in the coordinates of the axes
  };
  std::optional<Ruler> m_ruler;
  bool m_wholeX = true;
  bool m_bytes = false;
  QCPItemRect* m_box = nullptr;  ///< these are the plot's
  QCPItemLine* m_line = nullptr;
  QCPItemText* m_label = nullptr;
};

/// "Δx 3 072 (× 4)": how far one number is from another; the factor on a logarithmic axis.
QString distanceWords(const QString& axis, double from, double to, bool isLog, bool isBytes);

}  // namespace vqscope
