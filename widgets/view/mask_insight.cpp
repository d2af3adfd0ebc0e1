// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/mask_insight.h"

#include "core/base/text.h"
#include "widgets/text.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace vqscope {
namespace {

QLabel* heading(const QString& title, QWidget* parent) {
  auto* label = new QLabel(title, parent);
  label->setProperty("class", "heading");
  return label;
}

QLabel* paragraph(QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->setProperty("class", "secondary");
  return label;
}

QVBoxLayout* columnOf(QWidget* widget) {
  auto* column = new QVBoxLayout(widget);
  column->setContentsMargins(0, 6, 0, 0);
  column->setSpacing(6);
  return column;
}

/// As a sentence of its own.
QString sentenceOf(const std::string& said) {
  QString sentence = text(said);
  sentence[0] = sentence[0].toUpper();
  return sentence + QLatin1Char('.');
}

/// "(5, 3), (7, 2)", each a link.
QString linksTo(const Recognition& found, const QColor& colour) {
  QStringList links;
  for (const MaskCell& cell : found.exceptions)
    links << QStringLiteral("<a style='color:%3' href='%1,%2'>(%1,&nbsp;%2)</a>")
                 .arg(cell.q)
                 .arg(cell.kv)
                 .arg(colour.name());
  if (found.exceptions.size() < found.exception_count) links << QStringLiteral("…");
  return links.join(QStringLiteral(", "));
}

Cell cellOf(const QString& link) {
  return {link.section(QLatin1Char(','), 0, 0).toLongLong(), link.section(QLatin1Char(','), 1, 1).toLongLong()};
}

}  // namespace

MaskInsight::MaskInsight(QWidget* parent) : QWidget(parent), m_comparison(new QWidget(this)) {
  auto* layout = columnOf(this);
  auto* compared = columnOf(m_comparison);
  compared->setContentsMargins(0, 0, 0, 6);
  compared->addWidget(heading(tr("A and B"), m_comparison));
  m_counts = paragraph(m_comparison);
  compared->addWidget(m_counts);
  m_go = new QPushButton(tr("Go to the first difference"), m_comparison);
  compared->addWidget(m_go);
  layout->addWidget(m_comparison);
  m_which = heading({}, this);
  layout->addWidget(m_which);
  m_ask = new QPushButton(tr("What is this mask?"), this);
  m_ask->setToolTip(
      tr("Say in few words what the cells are: causal, documents, window, and which cells are exceptions"));
  layout->addWidget(m_ask);
  m_sentence = paragraph(this);
  layout->addWidget(m_sentence);
  m_exceptions = paragraph(this);
  m_exceptions->setTextFormat(Qt::RichText);
  m_exceptions->setTextInteractionFlags(Qt::TextBrowserInteraction);
  layout->addWidget(m_exceptions);
  m_use = new QPushButton(tr("Use as text"), this);
  layout->addWidget(m_use);
  connect(m_go, &QPushButton::clicked, this, &MaskInsight::goToFirstDifference);
  connect(m_ask, &QPushButton::clicked, this, &MaskInsight::recogniseMask);
  connect(m_exceptions, &QLabel::linkActivated, this, [this](const QString& link) { emit cellPicked(cellOf(link)); });
  connect(m_use, &QPushButton::clicked, this, [this] { emit textWanted(Recognition(*m_found)); });
  setMasks(nullptr, nullptr);
}

void MaskInsight::setMasks(std::shared_ptr<const Mask> mask, std::shared_ptr<const Mask> second) {
  const bool newMask = mask != m_mask;
  const bool newPair = newMask || second != m_second;
  m_mask = std::move(mask);
  m_second = std::move(second);
  setVisible(m_mask != nullptr);
  m_which->setText(m_second ? tr("Mask A") : tr("This mask"));
  if (newMask || !m_mask) m_found.reset();
  showRecognition();
  if (newPair) compare();
  showDifference();
}

void MaskInsight::compare() {
  m_difference.reset();
  m_goWhenCompared = false;
  if (!m_mask || !m_second) return;
  m_comparing.run<Result<MaskComparison>>(
      [first = m_mask, second = m_second](const std::stop_token& stop) {
        return compare_masks(*first, *second, {.progress = {}, .stop = stop});
      },
      [this, first = m_mask, second = m_second](const Result<MaskComparison>& difference) {
        if (first != m_mask || second != m_second) return;
        m_difference = difference;
        showDifference();
        if (std::exchange(m_goWhenCompared, false)) goToFirstDifference();
      });
}

void MaskInsight::showDifference() {
  m_comparison->setVisible(m_mask && m_second);
  const bool differ = m_difference && *m_difference && !(*m_difference)->equal();
  m_go->setVisible(differ);
  if (!m_difference)
    m_counts->setText(tr("Comparing…"));
  else
    m_counts->setText(sentenceOf(*m_difference ? (*m_difference)->sentence("A", "B") : m_difference->error().message));
}

void MaskInsight::goToFirstDifference() {
  if (!m_mask || !m_second) return emit said(tr("No mask is compared to another: choose A beside B or A − B"), true);
  m_goWhenCompared = !m_difference;
  if (!m_difference || !*m_difference) return;
  const MaskComparison& difference = **m_difference;
  if (!difference.first) return emit said(tr("The masks are equal"), false);
  emit cellPicked({difference.first->q, difference.first->kv});
}

void MaskInsight::recogniseMask() {
  if (!m_mask) return emit said(tr("No mask is shown on this page"), true);
  m_found.reset();
  showRecognition();
  m_sentence->setText(tr("Looking…"));
  m_sentence->show();
  m_recognising.run<Result<Recognition>>(
      [mask = m_mask](const std::stop_token& stop) { return recognise(*mask, {.stop = stop}); },
      [this, mask = m_mask](Result<Recognition> found) {
        if (mask != m_mask || !found) return;
        m_found = std::move(*found);
        showRecognition();
      });
}

void MaskInsight::showRecognition() {
  m_sentence->setVisible(m_found.has_value());
  m_exceptions->setVisible(m_found && !m_found->exceptions.empty());
  m_use->setVisible(m_found && m_found->fits);
  if (!m_found) return;
  m_sentence->setText(sentenceOf(m_found->sentence));
  m_exceptions->setText(linksTo(*m_found, palette().color(QPalette::Link)));
  m_use->setToolTip(m_found->exception_count == 0 ? tr("Write the mask in the mask language: the same cells")
                                                  : tr("Write the mask in the mask language, without the exceptions"));
}

}  // namespace vqscope
