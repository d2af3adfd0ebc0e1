// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/experiment/training_panel.h"

#include "core/base/text.h"
#include "widgets/experiment/generate_dialog.h"
#include "widgets/parts/live_curves.h"
#include "widgets/parts/text.h"
#include "widgets/theme/palette.h"
#include "widgets/view/curve_view.h"
#include "widgets/view/view_header.h"

#include <QFontDatabase>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>

namespace vqscope {
namespace {

constexpr int leastLosses = 40;  // pixels

QString coloured(const std::string& words, const QColor& colour) {
  return QStringLiteral("<span style=\"color:%1\">%2</span>").arg(colour.name(), text(words).toHtmlEscaped());
}

QString remainingText(const LiveCurves& live) {
  if (live.isFinishing()) return QObject::tr("stopping");
  if (live.isPaused()) return QObject::tr("paused");
  const auto remaining = live.remaining();
  if (!remaining) return QObject::tr("time left is not known yet");
  return *remaining < 1 ? QObject::tr("less than 1 s left")
                        : QObject::tr("about %1 left").arg(durationText(*remaining));
}

/// "2 of 8 models trained · 41 % · about 20 s left · 11 023 tokens/s"; at the end how long it took.
QString progressText(const TrainingState& state, const LiveCurves& live, bool running) {
  QStringList parts;
  const QString phase = text(live.phase());
  if (!phase.isEmpty()) parts.append(phase);
  if (running) {
    parts.append(QObject::tr("%1 %").arg(live.percent()));
    parts.append(remainingText(live));
  } else {
    parts.append((live.isFinishing() ? QObject::tr("stopped after %1") : QObject::tr("ended after %1"))
                     .arg(durationText(live.seconds())));
  }
  const bool trains = running && state.ended < state.begun;
  if (trains && !std::isnan(state.tokens_per_second))
    parts.append(QObject::tr("%1 tokens/s").arg(text(grouped(std::llround(state.tokens_per_second)))));
  return parts.join(QStringLiteral(" · "));
}

}  // namespace

TrainingPanel::TrainingPanel(QWidget* parent)
    : QFrame(parent),
      m_status(new ElidedLabel(this)),
      m_speed(new ElidedLabel(this)),
      m_sample(new QLabel(this)),
      m_toggle(new QToolButton(this)),
      m_save(new QPushButton(tr("Save model…"), this)),
      m_write(new QPushButton(tr("Generate…"), this)),
      m_losses(new CurveView(this, CurveView::Banner::hidden)) {
  setObjectName(QStringLiteral("trainingPanel"));
  m_status->setObjectName(QStringLiteral("trainingStatus"));
  m_status->setGreedy();
  m_speed->setObjectName(QStringLiteral("trainingSpeed"));
  m_speed->setColour(&Palette::secondary);
  m_speed->setGreedy();
  m_sample->setObjectName(QStringLiteral("trainingSample"));
  m_sample->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  m_sample->setWordWrap(true);
  m_sample->setTextFormat(Qt::RichText);
  m_sample->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_sample->setMinimumWidth(120);
  m_save->setObjectName(QStringLiteral("saveModel"));
  m_save->setToolTip(tr("Save weights, config, state for resume, and the losses of all steps"));
  m_write->setObjectName(QStringLiteral("generate"));
  m_write->setToolTip(tr("Let the trained model write tokens after a prompt"));
  m_losses->setMinimumHeight(leastLosses);
  m_toggle->setObjectName(QStringLiteral("showLosses"));
  m_toggle->setText(tr("Losses"));
  m_toggle->setToolTip(tr("Losses of all trainings by step, or the results so far"));
  m_toggle->setCheckable(true);
  auto* words = new QVBoxLayout;
  words->setSpacing(2);
  words->addWidget(m_status);
  words->addWidget(m_speed);
  auto* head = new QHBoxLayout;
  head->setSpacing(6);
  head->addLayout(words, 1);
  for (QWidget* button :
       {static_cast<QWidget*>(m_write), static_cast<QWidget*>(m_save), static_cast<QWidget*>(m_toggle)})
    head->addWidget(button, 0, Qt::AlignTop);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 6, 12, 8);
  column->setSpacing(4);
  column->addLayout(head);
  column->addWidget(m_sample);
  column->addWidget(m_losses, 1);
  setModel(std::nullopt);
  hide();
  connect(m_toggle, &QToolButton::clicked, this, &TrainingPanel::lossesToggled);
  connect(m_save, &QPushButton::clicked, this, &TrainingPanel::saveModel);
  connect(m_write, &QPushButton::clicked, this, &TrainingPanel::generate);
}

void TrainingPanel::show(const LiveCurves& live, bool running, Losses losses) {
  const auto state = live.trainings().state();
  setVisible(state.has_value());
  if (!state) return;
  m_status->setText(text(training_text(*state)));
  m_speed->setText(progressText(*state, live, running));
  m_speed->setVisible(running || !m_compact);
  showSample(*state);
  m_toggle->setVisible(losses != Losses::elsewhere);
  m_toggle->setChecked(losses == Losses::open);
  m_losses->setVisible(losses == Losses::open);
  if (losses == Losses::open)
    m_losses->setCurves(tr("Losses"), tr("mean over seeds so far"), live.trainings().losses());
}

void TrainingPanel::showSample(const TrainingState& state) {
  const TextSample& sample = state.sample;
  m_given = sample.given;
  m_sample->setVisible(!sample.written.empty() && !m_compact);
  const Palette& colours = currentPalette();
  const bool right = sample.expected.empty() || sample.expected == sample.written;
  const QString who = state.sample_of.empty() ? tr("The model") : text(state.sample_of);
  QString words = tr("%1 at step %2 writes:").arg(who.toHtmlEscaped()).arg(state.sample_step) + QLatin1Char(' ') +
                  coloured(sample.given, colours.secondary) + QLatin1Char(' ') +
                  coloured(sample.written, right ? colours.accent : colours.error);
  if (!right) words += QLatin1Char(' ') + coloured(sample.expected, colours.good);
  m_sample->setText(words);
  m_sample->setToolTip(
      sample.expected.empty()
          ? tr("%1 at step %2: the start of a sequence, and what it writes after it").arg(who).arg(state.sample_step)
          : tr("%1 at step %2: a problem, its answer and, if that is wrong, the right one")
                .arg(who)
                .arg(state.sample_step));
}

void TrainingPanel::setModel(std::optional<TrainedRun> model) {
  m_model = std::move(model);
  m_save->setVisible(m_model.has_value());
  m_write->setVisible(m_model.has_value());
}

void TrainingPanel::saveModel() {
  const auto saved = chooseAndSaveRun(*m_model->result, window());
  if (!saved)
    emit notified(text(saved.error().message), true);
  else if (!saved->isEmpty())
    emit notified(*saved, false);
}

void TrainingPanel::generate() {
  if (!m_generate) m_generate = new GenerateDialog(window());
  m_generate->setModel(*m_model, m_given);
  m_generate->show();
  m_generate->raise();
  m_generate->activateWindow();
  m_generate->write();
}

}  // namespace vqscope
