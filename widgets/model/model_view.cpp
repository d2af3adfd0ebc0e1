// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/model/model_view.h"

#include "core/base/text.h"
#include "core/schedule/view/reach_field.h"
#include "widgets/model/cache_panel.h"
#include "widgets/model/layer_table.h"
#include "widgets/model/layer_words.h"
#include "widgets/model/model_findings.h"
#include "widgets/model/model_start.h"
#include "widgets/model/reach_panel.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/tabbed_column.h"
#include "widgets/parts/text.h"
#include "widgets/theme/after_theme.h"
#include "widgets/theme/fonts.h"

#include <QLabel>
#include <QResizeEvent>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int wideEnough = 1180;  ///< for three columns
constexpr int sideWidth = 260;
// Heights beside another part of the column.
constexpr int leastTable = 240;
constexpr int leastFindings = 180;
constexpr int leastReach = 330;
constexpr int leastCache = 250;

}  // namespace

ModelView::ModelView(QWidget* parent)
    : QStackedWidget(parent),
      m_start(new ModelStart(this)),
      m_table(new LayerTable),
      m_reach(new ReachPanel),
      m_cache(new CachePanel) {
  m_columns = new QSplitter(Qt::Horizontal, this);
  m_columns->setHandleWidth(1);
  m_columns->setChildrenCollapsible(false);
  m_left = new TabbedColumn;
  m_left->addPart(tr("Layers"), m_table, leastTable);
  m_middle = new TabbedColumn;
  m_middle->addPart(tr("Reach"), m_reach, leastReach);
  m_middle->addPart(tr("Cache"), scrolled(m_cache), leastCache);
  for (QWidget* column : {static_cast<QWidget*>(m_left), static_cast<QWidget*>(m_middle), makeSide()})
    m_columns->addWidget(column);
  m_columns->setStretchFactor(1, 1);
  connect(m_columns, &QSplitter::splitterMoved, this, [this] { m_moved = true; });
  m_columns->setSizes({430, 760, 240});
  m_left->setMinimumWidth(260);
  m_middle->setMinimumWidth(320);
  addWidget(m_start);
  addWidget(m_columns);
  connectParts();
}

QWidget* ModelView::makeSide() {
  auto* content = new QWidget;
  auto* layout = new QVBoxLayout(content);
  layout->setContentsMargins(12, 10, 12, 10);
  layout->setSpacing(8);
  m_name = paragraph(content, "title");
  m_facts = paragraph(content, "secondary");
  m_findings = new ModelFindings(content);
  layout->addWidget(m_name);
  layout->addWidget(heading(tr("Findings"), content));
  layout->addWidget(m_findings);
  layout->addWidget(heading(tr("Under the cursor"), content));
  layout->addWidget(m_facts);
  layout->addStretch(1);
  m_facts->setMinimumHeight(5 * m_facts->fontMetrics().lineSpacing());
  m_facts->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  m_side = scrolled(content);
  m_side->setMinimumWidth(220);
  return m_side;
}

void ModelView::connectParts() {
  connect(m_start, &ModelStart::openRequested, this, &ModelView::openRequested);
  connect(m_start, &ModelStart::pasteRequested, this, &ModelView::pasteRequested);
  connect(m_start, &ModelStart::sampleRequested, this, &ModelView::sampleRequested);
  connect(m_table, &LayerTable::maskRequested, this, &ModelView::maskRequested);
  connect(m_table, &LayerTable::phasesRequested, this, &ModelView::phasesRequested);
  connect(m_table, &LayerTable::layerChosen, this, [this](int layer) { m_reach->view().showLayer(layer); });
  connect(&m_reach->view(), &ReachView::maskRequested, this, &ModelView::maskRequested);
  connect(&m_reach->view(), &ReachView::layerChosen, m_table, &LayerTable::showLayer);
  connect(&m_reach->view(), &ReachView::pointed, this, &ModelView::pointAt);
  connect(m_reach, &ReachPanel::changed, this, &ModelView::showFindings);
  connect(m_reach, &ReachPanel::queryMoved, this, &ModelView::queryMoved);
  connect(m_reach, &ReachPanel::documentRuleChanged, this, [this](const LayerKindFlags& keeps) {
    m_sequence.keeps_documents = keeps;
    emit documentRuleChanged(keeps);
  });
  connect(m_findings, &ModelFindings::picked, this, &ModelView::goTo);
}

void ModelView::setModel(const ConfigReport* report, const QString& name) {
  if (!report) return setSchedule({}, name);
  setSchedule(report->schedule, name, report->findings);
  if (report->schedule.layers.empty())
    m_start->setReason(tr("The layers of %1 are not known: %2").arg(name, sentence(report->summary)));
}

void ModelView::setSchedule(const LayerSchedule& schedule, const QString& name,
                            const std::vector<ConfigFinding>& findings) {
  m_schedule = schedule;
  m_config = findings;
  m_name->setText(name);
  m_start->setReason({});
  setCurrentIndex(schedule.layers.empty() ? 0 : 1);
  m_table->setSchedule(schedule);
  refresh();
  if (!schedule.layers.empty()) arrange();
}

void ModelView::setSequence(const SequenceOfLayers& sequence) {
  m_sequence = sequence;
  if (!m_schedule.layers.empty()) refresh();
}

void ModelView::refresh() {
  m_table->setTokens(m_sequence.length);
  m_cache->setModel(m_schedule, m_sequence.length);
  m_reach->setModel(m_schedule, m_sequence);
}

Index ModelView::query() const { return m_reach->query(); }

void ModelView::setQuery(Index query) { m_reach->setQuery(query); }

void ModelView::showFindings() {
  const auto* content = m_reach->content();
  m_findings->setFindings(
      content ? find_in_schedule(content->sight, content->reach.query()) : std::vector<ScheduleFinding>(), m_config);
  pointAt(std::nullopt);
}

void ModelView::pointAt(const std::optional<ReachView::Spot>& spot) {
  const auto* content = m_reach->content();
  if (!content || !spot) return m_facts->setText(tr("Point at the picture to see how a token reaches the query."));
  const Range reach = content->reach.reach(spot->layer);
  QString facts = layerTip(m_schedule, spot->layer, m_sequence.length) + QLatin1Char('\n') +
                  tr("Token %1: %2").arg(spot->token).arg(text(name_of(content->reach.kind(spot->layer, spot->token))));
  if (content->sight.documents() > 1) facts += tr(", document %1").arg(content->sight.document_number(spot->token));
  facts += QLatin1Char('\n') + tr("Reached from %1 to %2").arg(reach.begin).arg(reach.end - 1);
  m_facts->setText(groupedNumbers(facts));
}

void ModelView::goTo(const ScheduleFinding& finding) {
  if (finding.query >= 0) m_reach->moveQuery(finding.query);
  if (finding.token >= 0) m_reach->view().showSpot({finding.layer, finding.token});
  m_middle->raisePart(m_reach);
  m_reach->view().showLayer(finding.layer);
  m_table->showLayer(finding.layer);
}

/// Three columns where there is room, else the findings under the table.
void ModelView::arrange() {
  const bool wide = width() >= wideEnough;
  if (wide != m_wide || !m_arranged) placeSide(wide);
  m_arranged = !m_schedule.layers.empty();
  // As wide as the table needs, as long as the picture keeps half of the width.
  const int side = wide ? sideWidth : 0, table = std::min(m_table->wholeWidth(), (width() - side) / 2);
  if (!m_moved) m_columns->setSizes({table, width() - table - side, side});
  m_left->setSizes({height() * 3 / 5, height() * 2 / 5});
  const int cache = std::max(leastCache, height() * 2 / 5);
  m_middle->setSizes({height() - cache, cache});
}

void ModelView::placeSide(bool wide) {
  m_wide = wide;
  m_left->removePart(m_side);
  if (!wide) return m_left->addPart(tr("Findings"), m_side, leastFindings);
  m_columns->addWidget(m_side);
  m_side->show();
}

void ModelView::resizeEvent(QResizeEvent* event) {
  QStackedWidget::resizeEvent(event);
  afterTheme(this, [this] { arrange(); });
}

}  // namespace vqscope
