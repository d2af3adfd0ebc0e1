// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/curve_view.h"

#include "core/base/text.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/palette.h"
#include "widgets/view/view_header.h"

#include <qcustomplot.h>

#include <QLabel>
#include <QVBoxLayout>

#include <cmath>

namespace vqscope {
namespace {

QString readoutAt(const CurveSet& curves, std::size_t i) {
  QString text = QStringLiteral("%1 %2").arg(QString::fromStdString(curves.x_name),
                                             QString::fromStdString(to_text(curves.x[i], 7)));
  for (const Curve& curve : curves.curves)
    text += QStringLiteral("   %1 %2")
                .arg(QString::fromStdString(curve.name), QString::fromStdString(to_text(curve.y[i], 5)));
  return text;
}

}  // namespace

CurveView::CurveView(QWidget* parent) : QWidget(parent), m_header(new ViewHeader(this)), m_plot(new QCustomPlot(this)) {
  m_curvePlot = std::make_unique<CurvePlot>(*m_plot);
  m_plot->addLayer(QStringLiteral("cursor"));
  m_plot->layer(QStringLiteral("cursor"))->setMode(QCPLayer::lmBuffered);
  m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  m_plot->setMouseTracking(true);
  m_plot->setFocusPolicy(Qt::NoFocus);
  m_plot->installEventFilter(this);
  m_readout = new QLabel(this);
  m_readout->setFont(scaledFont(monospaceFont(), 0.86));
  m_readout->setContentsMargins(12, 0, 12, 4);
  m_readout->setTextFormat(Qt::PlainText);
  m_readout->setMinimumWidth(1);
  setMinimumSize(160, 130);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_header);
  layout->addWidget(m_plot, 1);
  layout->addWidget(m_readout);
  restyle();
}

CurveView::~CurveView() = default;

const CurveSet& CurveView::curves() const { return m_curvePlot->curves(); }

void CurveView::setMethod(const Method& method, const ParameterValues& values, const QString& subtitle) {
  const auto title = QString::fromStdString(method.title);
  if (m_methodId != method.id) m_zoomed = false;
  m_methodId = method.id;
  using Outcome = std::shared_ptr<Result<CurveSet>>;
  m_scheduler.run<Outcome>(
      [&method, values](std::stop_token stop) {
        return std::make_shared<Result<CurveSet>>(make_curves(method, values, std::move(stop)));
      },
      [this, title, subtitle](Outcome outcome) {
        if (!*outcome) return;  // the form says what was wrong; the last good curves stay
        const CurveSet& curves = **outcome;
        m_header->setTitle(title, subtitle);
        m_header->setToolTip(QString::fromStdString(curves.formula));
        m_header->setBadge(curves.exact ? tr("exact") : tr("sampled"), curves.exact,
                           curves.exact ? tr("Every value of x has its point") : tr("A selection of the values of x"));
        showCurves(curves);
      });
}

void CurveView::setCurves(const QString& title, const QString& subtitle, const CurveSet& curves) {
  m_header->setTitle(title, subtitle);
  showCurves(curves);
}

void CurveView::fit() {
  m_zoomed = false;
  m_curvePlot->fit();
  m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void CurveView::showCurves(const CurveSet& curves) {
  m_curvePlot->setCurves(curves, m_zoomed);
  m_cursor = new QCPItemStraightLine(m_plot);
  m_cursor->setLayer(QStringLiteral("cursor"));
  m_cursor->setVisible(false);
  m_cursor->setPen(QPen(currentPalette().secondary, 1));
  m_plot->replot(QCustomPlot::rpQueuedReplot);
  emit curvesShown();
}

void CurveView::showReadout(const std::optional<double>& x) {
  if (!m_cursor || curves().x.empty()) return;
  m_cursor->setVisible(x.has_value());
  QString text;
  if (x) {
    const std::size_t i = nearestSample(curves(), *x);
    m_cursor->point1->setCoords(curves().x[i], 0);
    m_cursor->point2->setCoords(curves().x[i], 1);
    m_cursor->point1->setTypeY(QCPItemPosition::ptAxisRectRatio);
    m_cursor->point2->setTypeY(QCPItemPosition::ptAxisRectRatio);
    text = readoutAt(curves(), i);
  }
  m_readout->setText(m_readout->fontMetrics().elidedText(text, Qt::ElideRight, m_readout->width() - 24));
  m_readout->setToolTip(text);
  m_plot->layer(QStringLiteral("cursor"))->replot();
  emit readoutChanged(text);
}

bool CurveView::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::MouseMove: {
      const QPointF at = static_cast<QMouseEvent*>(event)->position();
      const bool inside = m_plot->axisRect()->rect().contains(at.toPoint());
      showReadout(inside ? std::optional(m_plot->xAxis->pixelToCoord(at.x())) : std::nullopt);
      if (static_cast<QMouseEvent*>(event)->buttons() != Qt::NoButton) m_zoomed = true;
      break;
    }
    case QEvent::Wheel: m_zoomed = true; break;
    case QEvent::Leave: showReadout(std::nullopt); break;
    case QEvent::MouseButtonDblClick: fit(); break;
    default: break;
  }
  return QWidget::eventFilter(watched, event);
}

void CurveView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) restyle();
}

void CurveView::restyle() {
  m_curvePlot->setColours(currentPalette());
  QPalette colours = m_readout->palette();
  colours.setColor(QPalette::WindowText, currentPalette().secondary);
  m_readout->setPalette(colours);
  m_plot->replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace vqscope
