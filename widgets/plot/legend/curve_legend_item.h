// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

namespace vqscope {

/// The entry of a curve in the legend. A name that is longer than the plot is wide ends in "…".
class CurveLegendItem : public QCPPlottableLegendItem {
  Q_OBJECT
 public:
  /// The legend takes the entry, which goes with the curve.
  static void add(QCPLegend& legend, QCPAbstractPlottable& curve);

  /// The name of the curve, as far as it fits.
  QString shownName() const;
  bool isCut() const { return shownName() != mPlottable->name(); }

 protected:
  void draw(QCPPainter* painter) override;

 private:
  using QCPPlottableLegendItem::QCPPlottableLegendItem;
};

}  // namespace vqscope
