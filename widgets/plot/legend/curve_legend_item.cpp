// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/legend/curve_legend_item.h"

#include <algorithm>

namespace vqscope {

void CurveLegendItem::add(QCPLegend& legend, QCPAbstractPlottable& curve) {
  curve.removeFromLegend(&legend);
  legend.addItem(new CurveLegendItem(&legend, &curve));
}

QString CurveLegendItem::shownName() const {
  const int left = rect().left() + mParentLegend->iconSize().width() + mParentLegend->iconTextPadding();
  const int right = std::min(rect().right(), mParentPlot->viewport().right());
  return QFontMetrics(getFont()).elidedText(mPlottable->name(), Qt::ElideRight, std::max(0, right + 1 - left));
}

void CurveLegendItem::draw(QCPPainter* painter) {
  const QString name = mPlottable->name();
  mPlottable->setName(shownName());
  QCPPlottableLegendItem::draw(painter);
  mPlottable->setName(name);
}

}  // namespace vqscope
