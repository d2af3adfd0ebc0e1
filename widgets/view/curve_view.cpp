// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/curve_view.h"

#include "core/base/text.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/value_summary.h"
#include "widgets/theme/palette.h"
#include "widgets/view/view_header.h"

#include <qcustomplot.h>

#include <QAction>
#include <QVBoxLayout>

#include <cmath>

namespace vqscope {
namespace {

constexpr int progressInterval = 100;  // milliseconds

/// Where the numbers come from, how, and who says so.
QString explanation(const Method& method, const CurveSet& curves) {
  QString text = QStringLiteral("<p><b>%1</b>: %2</p><p>%3</p>")
                     .arg(QString::fromStdString(name_of(method.curves()->origin)).toHtmlEscaped(),
                          QString::fromStdString(curves.formula).toHtmlEscaped(),
                          QString::fromStdString(method.citation.paper).toHtmlEscaped());
  if (curves.published)
    text += QStringLiteral("<p><b>published</b>: %1</p>")
                .arg(QString::fromStdString(curves.published->source).toHtmlEscaped());
  return text;
}

CellReport reportAt(const CurveSet& curves, std::size_t i) {
  CellReport report{{{curves.x_name, to_text(curves.x[i], 7)}}, curves.formula};
  for (const Curve& curve : curves.curves) report.facts.emplace_back(curve.name, to_text(curve.y[i], 7));
  return report;
}

}  // namespace

CurveView::CurveView(QWidget* parent) : QWidget(parent), m_header(new ViewHeader(this)), m_plot(new QCustomPlot(this)) {
  m_curvePlot = new CurvePlot(*m_plot);
  m_plot->addLayer(QStringLiteral("cursor"));
  m_plot->layer(QStringLiteral("cursor"))->setMode(QCPLayer::lmBuffered);
  m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  m_plot->setMouseTracking(true);
  m_plot->setFocusPolicy(Qt::NoFocus);
  m_plot->installEventFilter(this);
  setMinimumSize(160, 130);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_header);
  layout->addWidget(m_plot, 1);
  addLogActions();
  restyle();
  m_progress.setInterval(progressInterval);
  connect(&m_progress, &QTimer::timeout, this, &CurveView::showProgress);
}

const CurveSet& CurveView::curves() const { return m_curvePlot->curves(); }

void CurveView::setMethod(const Method& method, const ParameterValues& values, const std::optional<CurveAxes>& axes) {
  const QString subtitle = curveSubtitle(method, values);
  const auto title = QString::fromStdString(method.title);
  if (m_methodId != method.id) m_zoomed = false;
  m_methodId = method.id;
  using Outcome = std::shared_ptr<Result<CurveSet>>;
  m_percent = std::make_shared<std::atomic<int>>(0);
  m_progress.start();
  m_scheduler.run<Outcome>(
      [&method, values, percent = m_percent](std::stop_token stop) {
        const Work work{[percent](double part) { *percent = static_cast<int>(100 * part); }, std::move(stop)};
        return std::make_shared<Result<CurveSet>>(make_curves(method, values, work));
      },
      [this, &method, title, subtitle, axes](Outcome outcome) {
        if (!m_scheduler.isBusy()) m_progress.stop();
        if (!*outcome) return showBadge();  // the form says what was wrong; the last good curves stay
        const CurveSet& curves = **outcome;
        m_header->setTitle(title, subtitle);
        m_header->setToolTip(explanation(method, curves));
        showCurves(curves);
        if (axes && (axes->log_x != m_curvePlot->logX() || axes->log_y != m_curvePlot->logY())) setAxes(*axes);
        showBadge();
      });
}

void CurveView::showBadge() {
  const bool exact = curves().exact;
  if (!m_problem.isEmpty())
    m_header->setBadge(tr("not up to date"), false, m_problem);
  else if (!m_methodId.empty())
    m_header->setBadge(exact ? tr("exact") : tr("sampled"), exact,
                       exact ? tr("Every value of x has its point") : tr("A selection of the values of x"));
}

void CurveView::showProgress() {
  if (!m_scheduler.isBusy()) return m_progress.stop();
  const int percent = *m_percent;
  if (percent > 0 && m_problem.isEmpty())
    m_header->setBadge(tr("computing · %1 %").arg(percent), false, tr("The last curves stay until then"));
}

void CurveView::setProblem(const QString& sentence) {
  if (m_problem == sentence) return;
  m_problem = sentence;
  showBadge();
}

void CurveView::setCurves(const QString& title, const QString& subtitle, const CurveSet& curves) {
  m_header->setTitle(title, subtitle);
  showCurves(curves);
}

void CurveView::addLogActions() {
  const auto add = [this](const QString& title, const QString& tip) {
    auto* action = new QAction(title, this);
    action->setToolTip(tip);
    action->setCheckable(true);
    connect(action, &QAction::triggered, this, [this] {
      const CurveAxes axes{m_logX->isChecked(), m_logY->isChecked()};
      setAxes(axes);
      emit axesChosen(axes);
    });
    addAction(action);
    m_header->addAction(action);
    return action;
  };
  m_logX = add(tr("log x"), tr("Logarithmic x axis"));
  m_logY = add(tr("log y"), tr("Logarithmic y axis; values of 0 and less have no place on it"));
  auto* fitAction = new QAction(tr("Fit"), this);
  connect(fitAction, &QAction::triggered, this, &CurveView::fit);
  addAction(fitAction);
  m_plot->setContextMenuPolicy(Qt::NoContextMenu);  // left to this widget
  setContextMenuPolicy(Qt::ActionsContextMenu);
}

void CurveView::setAxes(const CurveAxes& axes) {
  m_zoomed = false;
  m_logX->setChecked(axes.log_x);
  m_logY->setChecked(axes.log_y);
  m_curvePlot->setLogAxes(axes.log_x, axes.log_y);
  m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void CurveView::fit() {
  m_zoomed = false;
  m_curvePlot->fit();
  m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void CurveView::showCurves(const CurveSet& curves) {
  m_curvePlot->setCurves(curves, m_zoomed);
  m_logX->setChecked(m_curvePlot->logX());
  m_logY->setChecked(m_curvePlot->logY());
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
  std::optional<CellReport> report;
  if (x) {
    const std::size_t i = nearestSample(curves(), *x);
    m_cursor->point1->setCoords(curves().x[i], 0);
    m_cursor->point2->setCoords(curves().x[i], 1);
    m_cursor->point1->setTypeY(QCPItemPosition::ptAxisRectRatio);
    m_cursor->point2->setTypeY(QCPItemPosition::ptAxisRectRatio);
    report = reportAt(curves(), i);
  }
  m_plot->layer(QStringLiteral("cursor"))->replot();
  emit readoutChanged(report);
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
  m_curvePlot->setStyle(screenStyle());
  m_plot->replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace vqscope
