// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/model/reach_panel.h"

#include "core/base/text.h"
#include "core/schedule/view/reach_field.h"
#include "widgets/model/layer_words.h"
#include "widgets/model/reach_legend.h"
#include "widgets/parts/eliding_label.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"
#include "widgets/theme/fonts.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace vqscope {
namespace {

constexpr Index mostSteps = 10000;  // of the slider
constexpr std::array<const char*, layer_attention_kinds> kindNames{QT_TRANSLATE_NOOP("ReachPanel", "full"),
                                                                   QT_TRANSLATE_NOOP("ReachPanel", "window"),
                                                                   QT_TRANSLATE_NOOP("ReachPanel", "chunk"),
                                                                   QT_TRANSLATE_NOOP("ReachPanel", "state"),
                                                                   QT_TRANSLATE_NOOP("ReachPanel", "sparse"),
                                                                   QT_TRANSLATE_NOOP("ReachPanel", "compressed"),
                                                                   ""};

/// value · to / from, rounded.
Index scaled(Index value, Index from, Index to) { return from > 0 ? (value * to + from / 2) / from : 0; }

int boxValue(Index token) { return static_cast<int>(std::min<Index>(token, std::numeric_limits<int>::max())); }

}  // namespace

ReachPanel::ReachPanel(QWidget* parent)
    : QWidget(parent),
      m_view(new ReachView(this)),
      m_legend(new ReachLegend(this)),
      m_readout(paragraph(this)),
      m_problem(paragraph(this, "problem")) {
  m_problem->hide();
  m_readout->setMinimumHeight(2 * m_readout->fontMetrics().height() + 4);
  m_readout->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(12, 10, 12, 6);
  layout->setSpacing(6);
  layout->addWidget(makeHeader());
  layout->addWidget(makeRule());
  layout->addWidget(m_problem);
  layout->addWidget(m_view, 1);
  layout->addWidget(m_legend);
  layout->addWidget(m_readout);
  connect(m_view, &ReachView::pointed, this, &ReachPanel::pointAt);
}

QWidget* ReachPanel::makeHeader() {
  auto* header = new QWidget(this);
  auto* row = new QHBoxLayout(header);
  row->setContentsMargins(0, 0, 0, 0);
  auto* title = new ElidingLabel(header);
  title->setText(tr("Reach"));
  title->setToolTip(tr("Reach through depth: the tokens that each layer brings to the query"));
  title->setProperty("class", "title");
  auto* label = new QLabel(tr("of &query"), header);
  label->setProperty("class", "secondary");
  m_box = new QSpinBox(header);
  m_box->setFont(monospaceFont());
  m_box->setToolTip(tr("Query: which tokens can influence it after each layer"));
  m_box->setKeyboardTracking(false);
  label->setBuddy(m_box);
  m_slider = new QSlider(Qt::Horizontal, header);
  m_slider->setAccessibleName(tr("Query"));
  m_slider->setMinimumWidth(60);
  m_badge = new QLabel(tr("exact"), header);
  m_badge->setProperty("class", "badge");
  row->addWidget(title);
  row->addWidget(label);
  row->addWidget(m_box);
  row->addWidget(m_slider, 1);
  row->addWidget(m_badge);
  connect(m_box, &QSpinBox::valueChanged, this, [this](int token) { moveQuery(token); });
  connect(m_slider, &QSlider::valueChanged, this, &ReachPanel::onSlider);
  connect(m_slider, &QSlider::sliderReleased, this, [this] {
    if (query() >= 0) emit queryMoved(query(), true);
  });
  return header;
}

QWidget* ReachPanel::makeRule() {
  m_rule = new QWidget(this);
  auto* row = new QHBoxLayout(m_rule);
  row->setContentsMargins(0, 0, 0, 0);
  auto* label = new QLabel(tr("Documents are kept apart by"), m_rule);
  label->setProperty("class", "secondary");
  row->addWidget(label);
  for (std::size_t kind = 0; kind + 1 < m_keeps.size(); ++kind) {
    m_keeps[kind] = new QCheckBox(tr(kindNames[kind]), m_rule);
    m_keeps[kind]->setToolTip(tr("Layers of this kind mask the keys of other documents; a state is reset"));
    row->addWidget(m_keeps[kind]);
    connect(m_keeps[kind], &QCheckBox::clicked, this, &ReachPanel::readRule);
  }
  row->addStretch(1);
  return m_rule;
}

void ReachPanel::readRule() {
  for (std::size_t kind = 0; kind + 1 < m_keeps.size(); ++kind)
    m_sequence.keeps_documents[kind] = m_keeps[kind]->isChecked();
  compute();
  emit documentRuleChanged(m_sequence.keeps_documents);
}

void ReachPanel::setModel(const LayerSchedule& schedule, const SequenceOfLayers& sequence) {
  const bool last = m_query < 0 || m_query == m_sequence.valid.end - 1;
  m_schedule = schedule;
  m_sequence = sequence;
  m_query = std::clamp<Index>(last ? sequence.valid.end - 1 : m_query, 0, lastToken());
  m_rule->setVisible(sequence.document_lengths.size() > 1);
  for (std::size_t kind = 0; kind + 1 < m_keeps.size(); ++kind) {
    m_keeps[kind]->setChecked(sequence.keeps_documents[kind]);
    m_keeps[kind]->setVisible(std::ranges::any_of(
        schedule.layers, [&](const ModelLayer& layer) { return static_cast<std::size_t>(layer.attention) == kind; }));
  }
  compute();
}

void ReachPanel::setQuery(Index query) {
  query = std::clamp<Index>(query, 0, lastToken());
  if (query == m_query || m_schedule.layers.empty()) return;
  m_query = query;
  compute();
}

void ReachPanel::moveQuery(Index query, bool finished) {
  const Index before = m_query;
  setQuery(query);
  if (m_query != before && content()) emit queryMoved(m_query, finished);
}

void ReachPanel::onSlider(int step) {
  moveQuery(scaled(step, m_slider->maximum(), lastToken()), !m_slider->isSliderDown());
}

/// The slider has at most as many steps as there are tokens, so that its step and the query give
/// each other.
void ReachPanel::placeQuery() {
  const QSignalBlocker box(m_box), slider(m_slider);
  m_box->setRange(0, boxValue(lastToken()));
  m_box->setValue(boxValue(m_query));
  const Index steps = std::min(mostSteps, lastToken());
  m_slider->setRange(0, static_cast<int>(steps));
  m_slider->setValue(static_cast<int>(scaled(m_query, lastToken(), steps)));
}

Index ReachPanel::query() const { return content() ? m_query : -1; }

void ReachPanel::compute() {
  placeQuery();
  std::shared_ptr<const ReachView::Content> made;
  auto sight = LayerSight::make(m_schedule, m_sequence);
  if (sight) {
    auto reach = LayerReach::make(*sight, m_query);
    made = std::make_shared<const ReachView::Content>(ReachView::Content{std::move(*sight), std::move(*reach)});
  }
  m_problem->setVisible(!sight && !m_schedule.layers.empty());
  if (!sight) m_problem->setText(sentence(sight.error().message));
  m_badge->setVisible(made != nullptr);
  m_view->setContent(made);
  m_legend->setContent(made.get());
  pointAt(std::nullopt);
  emit changed();
}

void ReachPanel::pointAt(const std::optional<ReachView::Spot>& spot) {
  const auto* shown = content();
  if (!shown) return m_readout->clear();
  if (!spot) {
    const Range last = shown->reach.reach(shown->reach.layers() - 1);
    const QString query = QString::number(shown->reach.query());
    if (last.size() == 1)
      return m_readout->setText(
          groupedNumbers(tr("After the last layer, one token reaches query %1: %2.").arg(query).arg(last.begin)));
    return m_readout->setText(groupedNumbers(tr("After the last layer, %1 tokens reach query %2: %3 to %4.")
                                                 .arg(last.size())
                                                 .arg(query)
                                                 .arg(last.begin)
                                                 .arg(last.end - 1)));
  }
  m_readout->setText(
      groupedNumbers(tr("Layer %1, token %2: %3.")
                         .arg(spot->layer)
                         .arg(spot->token)
                         .arg(text(reach_reason(shown->sight, shown->reach, spot->layer, spot->token)))));
}

}  // namespace vqscope
