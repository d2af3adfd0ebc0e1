// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/experiment/experiment_bar.h"

#include "widgets/experiment/run_files.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"
#include "widgets/view/view_header.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace vqscope {

PresetNote::PresetNote(QWidget* parent)
    : QFrame(parent),
      m_title(new QLabel(this)),
      m_note(paragraph(this)),
      m_more(new QToolButton(this)),
      m_switch(new QToolButton(this)) {
  setObjectName(QStringLiteral("presetNote"));
  QFont bold = m_title->font();
  bold.setBold(true);
  m_title->setFont(bold);
  m_title->setWordWrap(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 0, 12, 8);
  column->setSpacing(2);
  auto* head = new QHBoxLayout;
  head->setSpacing(12);
  head->addWidget(m_title, 1);
  head->addWidget(m_more, 0, Qt::AlignTop);
  head->addWidget(m_switch, 0, Qt::AlignTop);
  m_more->setObjectName(QStringLiteral("moreOfQuestion"));
  m_more->setText(tr("More"));
  m_more->setToolTip(tr("What was claimed, by whom, and how this measurement differs"));
  m_more->setCheckable(true);
  m_switch->setObjectName(QStringLiteral("otherForm"));
  m_switch->setToolTip(tr("The same question with more or fewer trainings; one step of undo"));
  column->addLayout(head);
  column->addWidget(m_note);
  hide();
  connect(m_more, &QToolButton::toggled, this, [this](bool on) {
    m_note->setText(on ? m_whole : m_brief);
    setCompact(m_compact);
  });
  connect(m_switch, &QToolButton::clicked, this, [this] {
    if (m_other) emit chosen(*m_other);
  });
}

void PresetNote::show(const Method& method, const ParameterValues& values) {
  const auto shown = preset_of(method, values);
  m_matches = shown.has_value();
  setVisible(m_matches && m_wanted);
  if (!m_matches) return;
  const ExperimentPreset& preset = *shown->preset;
  m_other = preset.quick ? std::optional(PresetChoice{&preset, !shown->quick}) : std::nullopt;
  m_title->setText(shown->quick ? tr("%1 (quick form)").arg(text(preset.title)) : text(preset.title));
  m_brief = text(preset.brief);
  m_whole = text(preset.note) + QLatin1Char(' ') + text(preset.source) + QLatin1Char('.');
  m_note->setText(m_more->isChecked() ? m_whole : m_brief);
  m_note->setToolTip(m_whole);
  m_switch->setVisible(m_other.has_value());
  m_switch->setText(shown->quick ? tr("Set the full form") : tr("Set the quick form"));
}

void PresetNote::setWanted(bool wanted) {
  m_wanted = wanted;
  setVisible(m_matches && m_wanted);
}

void PresetNote::setCompact(bool compact) {
  m_compact = compact;
  m_note->setVisible(!compact || m_more->isChecked());
}

ExperimentBar::ExperimentBar(QWidget* parent)
    : QWidget(parent),
      m_questions(new QToolButton(this)),
      m_run(addButton("run", tr("Run"), tr("Measure with the values of the form and keep the run"))),
      m_pause(addButton("pause", tr("Pause"), tr("Let the training wait after its current step"))),
      m_stop(addButton("stop", tr("Stop"), tr("End the measurement and keep the results so far as a stopped run"))),
      m_sweep(addButton("sweep", tr("Sweep…"),
                        tr("Measure every combination of values of the parameters that you choose"))),
      m_words(new ElidedLabel(this)),
      m_files(new RunFilesButton(this)),
      m_showRuns(new QToolButton(this)) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  m_questions->setObjectName(QStringLiteral("questions"));
  m_questions->setText(tr("‹ Questions"));
  m_questions->setToolTip(tr("Back to the questions and all experiments; the values here stay"));
  m_pause->setCheckable(true);
  m_words->setObjectName(QStringLiteral("estimate"));
  m_words->setGreedy();
  m_showRuns->setObjectName(QStringLiteral("showRuns"));
  m_showRuns->setText(tr("Runs"));
  m_showRuns->setToolTip(tr("Kept runs: compare, name, note, delete"));
  m_showRuns->setCheckable(true);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 6, 12, 6);
  row->addWidget(m_questions);
  for (QPushButton* button : {m_run, m_pause, m_stop, m_sweep}) row->addWidget(button);
  row->addSpacing(6);
  row->addWidget(m_words, 1);
  for (QToolButton* button : {static_cast<QToolButton*>(m_files), m_showRuns}) row->addWidget(button);
  m_pause->hide();
  m_stop->hide();
  connect(m_questions, &QToolButton::clicked, this, &ExperimentBar::overviewRequested);
  connect(m_run, &QPushButton::clicked, this, &ExperimentBar::runRequested);
  connect(m_pause, &QPushButton::clicked, this, &ExperimentBar::pauseRequested);
  connect(m_stop, &QPushButton::clicked, this, &ExperimentBar::stopRequested);
  connect(m_sweep, &QPushButton::clicked, this, &ExperimentBar::sweepRequested);
}

QPushButton* ExperimentBar::addButton(const char* name, const QString& label, const QString& tip) {
  auto* button = new QPushButton(label, this);
  button->setObjectName(QLatin1String(name));
  button->setToolTip(tip);
  return button;
}

void ExperimentBar::show(const State& state) {
  const bool experiment = !state.overview, onRun = m_run->hasFocus(), onStop = m_stop->hasFocus();
  m_questions->setVisible(experiment);
  m_run->setVisible(experiment && state.measures && (!state.running || state.canRun));
  m_run->setEnabled(state.canRun);
  m_run->setToolTip(state.canRun ? tr("Measure with the values of the form and keep the run") : state.whyNot);
  m_pause->setVisible(experiment && state.running && state.canPause && !state.stopping);
  m_pause->setChecked(state.paused);
  m_pause->setText(state.paused ? tr("Continue") : tr("Pause"));
  m_stop->setVisible(state.running);
  m_stop->setEnabled(!state.stopping);
  m_sweep->setVisible(experiment && state.measures);
  m_words->setText(state.words);
  // A button that goes would leave the focus to the next one.
  if (onRun && m_run->isHidden()) m_stop->setFocus();
  if (onStop && m_stop->isHidden()) m_run->setFocus();
}

void ExperimentBar::showMessage(const QString& sentence) { m_words->setText(sentence); }

void ExperimentBar::takeFocus() { (m_stop->isHidden() ? m_run : m_stop)->setFocus(); }

void ExperimentBar::setSweepProgress(const QString& progress) {
  m_sweep->setText(progress.isEmpty() ? tr("Sweep…") : tr("Sweep %1…").arg(progress));
}

}  // namespace vqscope
