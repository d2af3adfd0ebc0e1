// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/experiment/overview/experiment_cards.h"

#include "widgets/parts/text.h"
#include "widgets/start/recent_files.h"
#include "widgets/theme/fonts.h"

#include <QDateTime>
#include <QPushButton>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int edge = 12;  // the margin of a card
constexpr int buttonGap = 6;
constexpr double buttonScale = 0.9;
constexpr int mostNoteLines = 2;
constexpr int mostHelpLines = 2;

/// "Full ≈ 3 min", with the sentence in its tooltip.
void labelButton(QPushButton& button, const QString& name, const std::optional<TimeEstimate>& time) {
  button.setText(time ? QStringLiteral("%1 ≈ %2").arg(name, durationText(time->seconds)) : name);
  const QString about =
      time ? QObject::tr("About %1 here").arg(durationText(time->seconds)) + QStringLiteral(". ") : QString();
  button.setToolTip(about + QObject::tr("Measure this on your machine now and keep the run"));
}

/// The card has no place for more.
QString firstSentence(const std::string& help) {
  const std::size_t end = help.find_first_of(".?");
  return text(help.substr(0, end == std::string::npos ? end : end + 1));
}

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
    : Card(vqscope::text(preset.title), vqscope::text(preset.brief), parent),
      m_preset(preset),
      m_full(addButton(tr("Run: %1").arg(vqscope::text(preset.title)), false)),
      m_quick(preset.quick ? addButton(tr("Run quickly: %1").arg(vqscope::text(preset.title)), true) : nullptr) {
  setMostLines(mostNoteLines);
  setToolTip(QStringLiteral("<p>%1</p><p>%2</p>")
                 .arg(vqscope::text(preset.note).toHtmlEscaped(), vqscope::text(preset.source).toHtmlEscaped()));
  setFooter(QStringLiteral(" "));
  connect(this, &QAbstractButton::clicked, this, [this] { emit chosen({&m_preset, m_showsQuick}, false); });
}

QPushButton* QuestionCard::addButton(const QString& accessible, bool quick) {
  auto* button = new QPushButton(this);
  button->setFont(scaledFont(uiFont(), buttonScale));
  button->setCursor(Qt::ArrowCursor);
  button->setAccessibleName(accessible);
  connect(button, &QPushButton::clicked, this, [this, quick] { emit chosen({&m_preset, quick}, true); });
  return button;
}

void QuestionCard::setRuns(const std::vector<KeptRun>& runs, std::optional<double> rate) {
  const Method& method = *m_preset.experiment;
  const KeptRun* full = newest_run(runs, method, m_preset.values);
  const KeptRun* quick = m_quick ? newest_run(runs, method, *m_preset.quick) : nullptr;
  const KeptRun* shown = full ? full : quick;
  const auto fullTime = estimate_time(runs, method, m_preset.values, rate);
  labelButton(*m_full, m_quick ? tr("Full") : tr("Run"), m_quick ? fullTime : std::nullopt);
  if (m_quick) labelButton(*m_quick, tr("Quick"), estimate_time(runs, method, *m_preset.quick, rate));
  m_full->setVisible(!full);
  if (m_quick) m_quick->setVisible(!shown);
  QString result = shown ? capitalised(verdict_of_run(method, *shown)) : QString();
  m_showsQuick = shown && !full;
  if (m_showsQuick && !result.isEmpty()) result = tr("Quick: %1").arg(result);
  const QString time = m_quick ? QStringLiteral(" ") : estimateText(fullTime);
  const QString footer = shown ? runText(shown->run) : time.isEmpty() ? tr("not measured yet") : time;
  setResult(result);
  setFooter(footer);
  placeButtons();
  setAccessibleDescription(result.isEmpty() ? footer : result + QLatin1Char('\n') + footer);
}

/// From the right end of the footer: full, and quick before it.
void QuestionCard::placeButtons() {
  QSize inset(0, 0);
  for (QPushButton* button : {m_full, m_quick}) {
    if (!button || button->isHidden()) continue;
    const QSize size = button->sizeHint();
    button->setGeometry(width() - edge - inset.width() - size.width(), height() - size.height() - edge, size.width(),
                        size.height());
    inset = {inset.width() + size.width() + buttonGap, size.height()};
  }
  setFooterInset(inset);
}

void QuestionCard::resizeEvent(QResizeEvent* event) {
  Card::resizeEvent(event);
  placeButtons();
}

ExperimentCard::ExperimentCard(const Method& method, QWidget* parent)
    : Card(vqscope::text(method.title), firstSentence(method.help), parent), m_method(method) {
  setMostLines(mostHelpLines);
  setToolTip(vqscope::text(method.help));
}

void ExperimentCard::setRuns(const std::vector<KeptRun>& runs) {
  const auto newest = std::ranges::find_if(
      runs, [&](const KeptRun& kept) { return kept.run.complete && kept.run.method == m_method.id; });
  setFooter(newest == runs.end() ? QString() : tr("last run: %1").arg(runText(newest->run)));
}

}  // namespace vqscope
