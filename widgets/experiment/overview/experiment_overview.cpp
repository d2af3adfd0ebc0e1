// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/experiment/overview/experiment_overview.h"

#include "core/catalogue/experiment_presets.h"
#include "core/catalogue/registry.h"
#include "core/method/curve_set.h"
#include "widgets/experiment/overview/experiment_cards.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"
#include "widgets/start/start_parts.h"
#include "widgets/theme/fonts.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int pageMargin = 20;
constexpr int cardGap = 12;
constexpr int leastHeight = 40;

/// Questions, or trainings of the models of a paper, which answer none.
std::vector<const ExperimentPreset*> orderedPresets(bool questions) {
  std::vector<const ExperimentPreset*> presets;
  for (const ExperimentPreset& preset : experiment_presets())
    if (preset.experiment->curves() && (preset.experiment->run() == nullptr) == questions) presets.push_back(&preset);
  return presets;
}

/// Some trainings of a fraction of a second, whose work and time give the speed of this machine.
std::optional<double> measuredRate(const std::stop_token& stop) {
  const Method* method = find_method("length_extrapolation");
  if (!method) return std::nullopt;
  ParameterValues values = default_values(method->parameters);
  values.set("models", std::vector<std::string>{"nope"});
  for (const auto& [name, value] :
       {std::pair{"train_steps", 8}, {"seed_count", 1}, {"longest_multiple", 2}, {"train_threads", 1}})
    values.set(name, Index{value});
  std::vector<ParameterValues> attempts(3, values);
  for (std::size_t i = 0; i < attempts.size(); ++i) attempts[i].set("seed", static_cast<Index>(i));  // none is kept
  return probed_rate(*method, attempts, {.progress = {}, .stop = stop});
}

}  // namespace

ExperimentOverview::ExperimentOverview(const PageInfo& info, QWidget* parent) : QWidget(parent) {
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(pageMargin, 0, pageMargin, pageMargin);
  column->setSpacing(cardGap);
  addTitle(column);
  addQuestions(orderedPresets(true), column);
  column->addWidget(heading(tr("The models of a paper, scaled down"), this));
  addQuestions(orderedPresets(false), column);
  for (const MethodGroup& group : info.groups) addGroup(group, column);
  column->addStretch(1);
  auto* scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setMinimumHeight(leastHeight);
  scroll->setWidget(content);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(scroll);
}

void ExperimentOverview::addTitle(QVBoxLayout* column) {
  auto* title = new QLabel(tr("What do you want to know?"), this);
  QFont font = scaledFont(uiFont(), 1.5);
  font.setWeight(QFont::Bold);
  title->setFont(font);
  auto* words = paragraph(this);
  words->setText(
      tr("Each question is an experiment with its values set. It is measured on this machine, in this program; "
         "the result ends in one sentence and is kept. All experiments stand below."));
  column->addWidget(title);
  column->addWidget(words);
}

void ExperimentOverview::addQuestions(const std::vector<const ExperimentPreset*>& presets, QVBoxLayout* column) {
  auto* frame = new QWidget;
  auto* grid = new WrapGrid(leastCard, cardGap, false, frame);
  for (const ExperimentPreset* preset : presets) {
    auto* card = new QuestionCard(*preset, frame);
    connect(card, &QuestionCard::chosen, this, &ExperimentOverview::questionChosen);
    grid->addWidget(card);
    m_questions.push_back(card);
  }
  column->addWidget(frame);
}

void ExperimentOverview::addGroup(const MethodGroup& group, QVBoxLayout* column) {
  column->addSpacing(cardGap / 2);
  column->addWidget(heading(text(group.title), this));
  auto* frame = new QWidget;
  auto* grid = new WrapGrid(leastCard, cardGap, false, frame);
  for (const std::string& id : group.methods) {
    const Method* method = find_method(id);
    auto* card = new ExperimentCard(*method, frame);
    connect(card, &QAbstractButton::clicked, this, [this, method] { emit experimentChosen(method); });
    grid->addWidget(card);
    m_experiments.push_back(card);
  }
  column->addWidget(frame);
}

void ExperimentOverview::setRuns(const std::vector<KeptRun>& runs) {
  m_runs = runs;
  m_known = true;
  if (isVisible()) showRuns();
}

void ExperimentOverview::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (m_known) showRuns();
}

std::optional<double> ExperimentOverview::rate() {
  probe();
  return m_rate;
}

void ExperimentOverview::showRuns() {
  probe();
  for (QuestionCard* card : m_questions) card->setRuns(m_runs, m_rate);
  for (ExperimentCard* card : m_experiments) card->setRuns(m_runs);
}

/// Once, as soon as an estimate is wanted.
void ExperimentOverview::probe() {
  if (std::exchange(m_probed, true)) return;
  m_probe.run<std::optional<double>>([](const std::stop_token& stop) { return measuredRate(stop); },
                                     [this](std::optional<double> rate) {
                                       m_rate = rate;
                                       if (rate && isVisible()) showRuns();
                                       emit rateMeasured();
                                     });
}

}  // namespace vqscope
