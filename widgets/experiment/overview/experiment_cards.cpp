// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/experiment/overview/experiment_cards.h"

#include "widgets/parts/text.h"
#include "widgets/start/recent_files.h"

#include <QDateTime>
#include <QPushButton>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int edge = 12;  // the margin of a card
constexpr int mostNoteLines = 2;
constexpr int mostHelpLines = 2;

}  // namespace

QString estimateText(const std::optional<TimeEstimate>& estimate) {
  if (!estimate) return {};
  return QObject::tr("about %1 here").arg(durationText(estimate->seconds));
}

QString runText(const StoredRun& run) {
  const QDateTime when = QDateTime::fromString(text(run.when), Qt::ISODate).toLocalTime();
  const QString took = QObject::tr("took %1").arg(durationText(run.seconds));
  return when.isValid() ? QObject::tr("%1, %2").arg(dayText(when, QDateTime::currentDateTime()), took) : took;
}

QString capitalised(const std::string& sentence) {
  QString words = text(sentence);
  // Identifiers stay as they are.
  const bool identifier = words.section(QLatin1Char(' '), 0, 0).contains(QLatin1Char('_'));
  if (!words.isEmpty() && !identifier) words[0] = words[0].toUpper();
  return words;
}

QuestionCard::QuestionCard(const ExperimentPreset& preset, QWidget* parent)
    : Card(vqscope::text(preset.title), vqscope::text(preset.note), parent),
      m_preset(preset),
      m_run(new QPushButton(tr("Run"), this)) {
  setMostLines(mostNoteLines);
  setToolTip(QStringLiteral("<p>%1</p><p>%2</p>")
                 .arg(vqscope::text(preset.note).toHtmlEscaped(), vqscope::text(preset.source).toHtmlEscaped()));
  m_run->setCursor(Qt::ArrowCursor);
  m_run->setAccessibleName(tr("Run: %1").arg(vqscope::text(preset.title)));
  m_run->setToolTip(tr("Measure this on your machine now and keep the run"));
  setFooter(QStringLiteral(" "));
}

void QuestionCard::setRuns(const std::vector<KeptRun>& runs, std::optional<double> rate) {
  const Method& method = *m_preset.experiment;
  const KeptRun* run = newest_run(runs, method, m_preset.values);
  m_run->setVisible(!run);
  setFooterInset(run ? QSize(0, 0) : m_run->sizeHint());
  const QString estimate = estimateText(estimate_time(runs, method, m_preset.values, rate));
  const QString result = run ? capitalised(verdict_of_run(method, *run)) : QString();
  const QString footer = run ? runText(run->run) : estimate.isEmpty() ? tr("not measured yet") : estimate;
  setResult(result);
  setFooter(footer);
  setAccessibleDescription(result.isEmpty() ? footer : result + QLatin1Char('\n') + footer);
}

void QuestionCard::resizeEvent(QResizeEvent* event) {
  Card::resizeEvent(event);
  const QSize size = m_run->sizeHint();
  m_run->setGeometry(width() - size.width() - edge, height() - size.height() - edge, size.width(), size.height());
}

ExperimentCard::ExperimentCard(const Method& method, QWidget* parent)
    : Card(vqscope::text(method.title), vqscope::text(method.help), parent), m_method(method) {
  setMostLines(mostHelpLines);
  setToolTip(vqscope::text(method.help));
}

void ExperimentCard::setRuns(const std::vector<KeptRun>& runs) {
  const auto newest = std::ranges::find_if(
      runs, [&](const KeptRun& kept) { return kept.run.complete && kept.run.method == m_method.id; });
  setFooter(newest == runs.end() ? QString() : tr("last run: %1").arg(runText(newest->run)));
}

}  // namespace vqscope
