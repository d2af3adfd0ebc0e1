// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/curve_view.h"

#include "widgets/parts/text.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/value_summary.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/palette.h"
#include "widgets/view/curve/curve_actions.h"
#include "widgets/view/curve/curve_cursor.h"
#include "widgets/view/curve/curve_drag.h"
#include "widgets/view/curve/curve_table.h"
#include "widgets/view/view_header.h"

#include <qcustomplot.h>

#include <QAction>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

constexpr int progressInterval = 100;   // milliseconds
constexpr std::size_t mostEntries = 4;  // of a legend, that keep the axes from being squeezed

/// Goes with the work, which may be dropped before it begins: then nobody waits for its curves.
std::shared_ptr<void> endOf(const std::shared_ptr<LiveCurves>& live) {
  return {nullptr, [live](void*) { live->end(); }};
}

}  // namespace

CurveView::CurveView(QWidget* parent, Banner banner)
    : KeyedView(parent),
      m_header(new ViewHeader(this)),
      m_plot(new QCustomPlot(this)),
      m_banner(banner),
      m_overlay(new Overlay(m_plot, bannerPlace())) {
  m_curvePlot = new CurvePlot(*m_plot);
  m_cursor = std::make_unique<CurveCursor>(*m_plot);
  m_drag = std::make_unique<CurveDrag>(*m_plot);
  m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  m_plot->setMouseTracking(true);
  m_plot->setFocusPolicy(Qt::NoFocus);
  // The view has a least height for header and plot; what the margins of the plot need varies.
  m_plot->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
  m_plot->setMinimumSize(1, 1);
  m_plot->installEventFilter(this);
  setMinimumSize(160, m_leastHeight);
  setAccessibleName(tr("Curves"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, focusLine, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_header);
  layout->addWidget(m_plot, 1);
  m_actions = new CurveActions({*this, *m_header, *m_plot, *m_curvePlot, [this] { return m_zoomed; }});
  addLogActions();
  addTableButton();
  restyle();
  m_progress.setInterval(progressInterval);
  connect(&m_progress, &QTimer::timeout, this, &CurveView::showProgress);
}

CurveView::~CurveView() = default;

const CurveSet& CurveView::curves() const { return m_curvePlot->curves(); }

void CurveView::clear() {
  ++m_place;
  m_methodId.clear();
  m_good.reset();
  m_failure.clear();
  m_zoomed = false;
  m_stopped = false;
  m_nothingNew = false;
  m_header->setTitle({}, {});
  m_header->setToolTip({});
  if (!curves().x.empty()) showCurves({});
  showFreshness();
}

void CurveView::turnTo(const Method& method, const ParameterValues& values) {
  if (m_methodId == method.id) return;
  clear();
  m_methodId = method.id;
  m_header->setTitle(text(method.title), valueSummary(method, values));
}

void CurveView::expect(const Method& method, const ParameterValues& values) {
  turnTo(method, values);
  if (curves().x.empty()) m_header->setTitle(text(method.title), valueSummary(method, values));
  showFreshness();
}

void CurveView::setMethod(const Method& method, const ParameterValues& values, const std::optional<CurveAxes>& axes) {
  dropPartial();
  turnTo(method, values);
  m_coming = {
      QString::fromStdString(method.title), valueSummary(method, values), {}, {}, axes, false, method.curves()->origin};
  m_failure.clear();
  m_nothingNew = false;
  m_live = std::make_shared<LiveCurves>();
  m_liveMethod = &method;
  m_liveValues = values;
  m_livePlace = m_place;
  m_progress.start();
  m_scheduler.run<Result<CurveSet>>(
      [&method, values, live = m_live, end = endOf(m_live), keeper = m_keeper,
       maker = m_maker](const std::stop_token& stop) {
        return madeCurves(method, values, *live, maker ? maker() : MakeCurves(), keeper ? keeper() : KeepCurves(),
                          stop);
      },
      [this, &method, content = m_coming, place = m_place](Result<CurveSet> outcome) {
        if (!m_scheduler.isBusy()) m_progress.stop();
        if (place == m_place) showOutcome(std::move(outcome), content, method);
        showFreshness();
        emit finished();
      });
  showFreshness();
}

std::shared_ptr<LiveCurves> CurveView::computationOf(const Method& method, const ParameterValues& values) const {
  const bool isThis = m_scheduler.isBusy() && m_liveMethod == &method && m_liveValues == values;
  return isThis ? m_live : nullptr;
}

void CurveView::showOutcome(Result<CurveSet> outcome, Content content, const Method& method) {
  const bool newest = !m_scheduler.isBusy();
  if (!outcome) {
    if (!newest) return;
    if (outcome.error().code == Errc::cancelled) return showStopped();
    m_failure = text(outcome.error().message);
    return dropPartial();
  }
  m_good.reset();
  content.stopped = m_live->isFinishing();
  content.axes = m_coming.axes;
  content.curves = std::move(*outcome);
  content.tip = explanationOf(method, content.curves);
  showContent(content);
}

void CurveView::showStopped() {
  showPartial();
  m_nothingNew = !m_good;
  m_stopped = m_stopped || m_good.has_value();
  m_good.reset();
}

void CurveView::finish() {
  if (m_scheduler.isBusy()) m_live->finish();
}

void CurveView::stop() {
  m_scheduler.stop();
  m_progress.stop();
  dropPartial();
}

void CurveView::showContent(const Content& content) {
  m_stopped = content.stopped;
  m_origin = content.origin;
  m_header->setTitle(content.title, content.subtitle);
  m_header->setToolTip(content.tip);
  showCurves(content.curves);
  const auto& axes = content.axes;
  if (axes && (axes->log_x != m_curvePlot->logX() || axes->log_y != m_curvePlot->logY())) setAxes(*axes);
}

void CurveView::showPartial() {
  if (m_livePlace != m_place) return;
  auto known = m_live->take();
  if (!known || known->x.empty()) return;
  if (!m_good)
    m_good = {m_header->title(),
              m_header->subtitle(),
              m_header->toolTip(),
              curves(),
              CurveAxes{m_curvePlot->logX(), m_curvePlot->logY()},
              m_stopped,
              m_origin};
  m_coming.curves = std::move(*known);
  m_coming.tip = tr("Results so far");
  showContent(m_coming);
  showFreshness();
}

void CurveView::dropPartial() {
  if (!m_good) return;
  showContent(*std::exchange(m_good, std::nullopt));
  showFreshness();
}

void CurveView::setFreshness(const Freshness& freshness) {
  if (freshness == m_given) return;
  m_given = freshness;
  showFreshness();
}

Freshness CurveView::freshness() const {
  const Freshness own = !m_failure.isEmpty() ? Freshness::outdated(m_failure)
                        : computesThis()     ? Freshness::computing()
                                             : Freshness();
  Freshness now = worse(m_given, own);
  now.isEmpty = now.isEmpty || (now.isOutdated() && curves().x.empty());
  return now;
}

void CurveView::showFreshness() {
  const Freshness now = freshness();
  // Partial results of new curves are new.
  const Freshness shown = m_good && now.state == Freshness::State::computing ? m_given : now;
  for (Overlay* overlay : {m_overlay, m_tableOverlay})
    if (overlay) {
      overlay->setBanner(bannerPlace());
      overlay->setFreshness(shown);
    }
  if (now.isOutdated()) return m_header->setBadge(now);
  if (m_methodId.empty()) return m_header->setBadge({}, ViewHeader::Look::good, {});  // nothing is outdated
  if (!now.isCurrent()) return m_header->setBadge(now);
  if (curves().x.empty()) return m_header->setBadge({}, ViewHeader::Look::good, {});
  if (m_stopped)
    return m_header->setBadge(tr("stopped"), ViewHeader::Look::warning,
                              tr("The computation was stopped; these are its results until then"));
  // Numbers that were measured or copied have points at the measured places: they are neither exact
  // nor sampled.
  if (m_origin != CurveOrigin::geometry)
    return m_header->setBadge(m_origin == CurveOrigin::measured ? tr("measured") : tr("published"),
                              ViewHeader::Look::good,
                              m_origin == CurveOrigin::measured ? tr("Measured by this program, at these values of x")
                                                                : tr("Copied from the source, not computed here"));
  const bool exact = curves().exact;
  m_header->setBadge(exact ? tr("exact") : tr("sampled"), exact ? ViewHeader::Look::good : ViewHeader::Look::warning,
                     exact ? tr("One point for every value of x") : tr("Only some values of x have a point"));
}

/// Another view cannot show why these curves failed.
Overlay::Banner CurveView::bannerPlace() const {
  const bool own = !m_failure.isEmpty() && !m_given.isOutdated();
  return m_banner == Banner::shown || own ? Overlay::Banner::bottom : Overlay::Banner::nowhere;
}

void CurveView::showProgress() {
  if (!m_scheduler.isBusy()) return m_progress.stop();
  if (!computesThis()) return;
  showPartial();
  const int percent = m_live->percent();
  if ((percent > 0 || m_good) && !m_given.isOutdated())
    m_header->setBadge((m_live->isPaused() ? tr("paused · %1 %") : tr("computing · %1 %")).arg(percent),
                       ViewHeader::Look::quiet,
                       m_good ? tr("The rest is still being computed") : tr("The previous curves stay until then"));
}

void CurveView::setCurves(const QString& title, const QString& subtitle, const CurveSet& curves, CurveOrigin origin) {
  m_origin = origin;
  m_header->setTitle(title, subtitle);
  m_failure.clear();
  m_stopped = false;
  showCurves(curves);
  showFreshness();
}

void CurveView::setFailure(const QString& sentence) {
  m_failure = sentence;
  showFreshness();
}

void CurveView::addLogActions() {
  const auto add = [this](const QString& title, const QString& tip) {
    auto* action = new QAction(title, this);
    action->setToolTip(tip);
    action->setCheckable(true);
    connect(action, &QAction::triggered, this, [this] {
      const CurveAxes axes{m_logX->isChecked(), m_logY->isChecked()};
      setAxes(axes);
      m_coming.axes = axes;
      emit axesChosen(axes);
    });
    addAction(action);
    m_header->addAction(action);
    return action;
  };
  m_logX = add(tr("log x"), tr("Logarithmic x axis"));
  m_logY = add(tr("log y"), tr("Logarithmic y axis; values of 0 or less are not shown"));
  auto* fitAction = new QAction(tr("Fit"), this);
  connect(fitAction, &QAction::triggered, this, &CurveView::fit);
  addAction(fitAction);
}

void CurveView::addTableButton() {
  auto* action = new QAction(icon("table"), tr("Table of the numbers"), this);
  action->setCheckable(true);
  connect(action, &QAction::toggled, this, &CurveView::showTable);
  addAction(action);
  m_header->addButton("table", action->text())->setDefaultAction(action);
}

void CurveView::showTable(bool on) {
  if (!m_table) {
    m_table = new CurveTable(this);
    m_tableOverlay = new Overlay(m_table, bannerPlace());
    m_tableOverlay->setFreshness(m_overlay->freshness());
    static_cast<QVBoxLayout*>(layout())->addWidget(m_table, 1);
  }
  if (on) m_table->setCurves(curves());
  m_plot->setVisible(!on);
  m_table->setVisible(on);
  enableLogActions();
  showReadout(std::nullopt);  // the mouse is no longer over the plot
}

void CurveView::enableLogActions() {
  m_logX->setEnabled(!m_plot->isHidden() && curves().x_names.empty());
  m_logY->setEnabled(!m_plot->isHidden());
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

void CurveView::setLeastHeight(int height) {
  m_leastHeight = height;
  fitHeight();
}

void CurveView::fitHeight() {
  const auto entries = std::min(m_curvePlot->entries().size(), mostEntries);
  setMinimumHeight(m_leastHeight + (entries > 1 ? static_cast<int>(entries) * fontMetrics().height() : 0));
}

void CurveView::showCurves(const CurveSet& curves) {
  setAccessibleName(tr("Curves: %1").arg(m_header->title()));
  m_curvePlot->setCurves(curves, m_zoomed);
  m_logX->setChecked(m_curvePlot->logX());
  m_logY->setChecked(m_curvePlot->logY());
  enableLogActions();
  m_cursor->renew();
  m_drag->renew(curves);
  fitHeight();
  m_plot->replot(QCustomPlot::rpQueuedReplot);
  if (const auto x = m_cursor->at()) showReadout(x);  // the mouse has not moved
  if (m_table && m_table->isVisibleTo(this)) m_table->setCurves(curves);
  emit curvesShown();
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
