// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plot/matrix_picture.h"
#include "widgets/plot/plot_style.h"

#include <qcustomplot.h>

namespace vqscope {

/// Paints a MatrixPicture into a plot's axes; cell i spans i - 0.5 to i + 0.5, so that ticks are at
/// its centre. While the next picture is computed, the last one is stretched to its place on the
/// axes. QCPColorMap would lose one-pixel structure, and NaN and infinities their meaning.
class MatrixPlottable : public QCPAbstractPlottable {
  Q_OBJECT
 public:
  MatrixPlottable(QCPAxis* colAxis, QCPAxis* rowAxis);

  void setPicture(std::shared_ptr<const MatrixPicture> picture) { m_picture = std::move(picture); }
  const std::shared_ptr<const MatrixPicture>& picture() const { return m_picture; }
  void setStyle(const PlotStyle& style) { m_style = style; }

  double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }
  QCPRange getKeyRange(bool& found, QCP::SignDomain domain) const override;
  QCPRange getValueRange(bool& found, QCP::SignDomain domain, const QCPRange& keys) const override;

 protected:
  void draw(QCPPainter* painter) override;
  void drawLegendIcon(QCPPainter*, const QRectF&) const override {}

 private:
  QRectF pixelRect(double rowFirst, double rowLast, double colFirst, double colLast) const;
  void drawNumbers(QCPPainter& painter) const;
  void drawMarks(QCPPainter& painter) const;

  std::shared_ptr<const MatrixPicture> m_picture;
  PlotStyle m_style;
};

}  // namespace vqscope
