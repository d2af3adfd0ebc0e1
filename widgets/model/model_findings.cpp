// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/model/model_findings.h"

#include "widgets/model/layer_words.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"

#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

using Look = FindingCard::Look;

Look lookOf(ScheduleSeverity severity) {
  if (severity == ScheduleSeverity::leak) return Look::error;
  return severity == ScheduleSeverity::loss ? Look::warning : Look::note;
}

Look lookOf(ConfigSeverity severity) {
  if (severity == ConfigSeverity::error) return Look::error;
  return severity == ConfigSeverity::warning ? Look::warning : Look::note;
}

/// A sign and a class of the style sheet: colour alone is not accessible.
std::pair<QString, const char*> headOf(Look look) {
  if (look == Look::error) return {QStringLiteral("✕ "), "finding-error"};
  return look == Look::warning ? std::pair(QStringLiteral("▲ "), "finding-warning")
                               : std::pair(QStringLiteral("· "), "title");
}

}  // namespace

FindingCard::FindingCard(Look look, const QString& title, const QString& sentence, bool hasPlace, QWidget* parent)
    : QFrame(parent), m_hasPlace(hasPlace) {
  setProperty("class", "card");
  const auto [sign, style] = headOf(look);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(10, 7, 10, 8);
  layout->setSpacing(3);
  auto* head = paragraph(this, style);
  head->setText(sign + title);
  auto* body = paragraph(this, "remark");
  body->setText(sentence);
  for (QLabel* label : {head, body}) {
    label->setTextInteractionFlags(hasPlace ? Qt::NoTextInteraction : Qt::TextSelectableByMouse);
    layout->addWidget(label);
  }
  setAccessibleName(title);
  setAccessibleDescription(sentence);
  if (!hasPlace) return;
  setCursor(Qt::PointingHandCursor);
  setFocusPolicy(Qt::StrongFocus);
  setToolTip(tr("Show this place in the picture"));
}

void FindingCard::mouseReleaseEvent(QMouseEvent* event) {
  QFrame::mouseReleaseEvent(event);
  if (m_hasPlace && event->button() == Qt::LeftButton && rect().contains(event->position().toPoint())) emit picked();
}

void FindingCard::keyPressEvent(QKeyEvent* event) {
  const bool go = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
  if (m_hasPlace && go) return emit picked();
  QFrame::keyPressEvent(event);
}

ModelFindings::ModelFindings(QWidget* parent) : QWidget(parent), m_cards(new QVBoxLayout(this)) {
  m_cards->setContentsMargins(0, 0, 0, 0);
  m_cards->setSpacing(8);
  m_cards->addStretch(1);
}

void ModelFindings::setFindings(const std::vector<ScheduleFinding>& layers, const std::vector<ConfigFinding>& config) {
  while (m_cards->count() > 1) {
    QLayoutItem* item = m_cards->takeAt(0);
    item->widget()->hide();
    item->widget()->deleteLater();
    delete item;
  }
  std::vector<std::pair<Look, FindingCard*>> cards;
  for (const ScheduleFinding& each : layers) {
    auto* card = new FindingCard(lookOf(each.severity), groupedNumbers(text(each.title)),
                                 groupedNumbers(text(each.sentence)), each.layer >= 0, this);
    connect(card, &FindingCard::picked, this, [this, each] { emit picked(each); });
    cards.emplace_back(lookOf(each.severity), card);
  }
  for (const ConfigFinding& each : config) {
    const QString title = each.path.empty() ? tr("Config") : text(each.path);
    cards.emplace_back(lookOf(each.severity), new FindingCard(lookOf(each.severity), title,
                                                              groupedNumbers(sentence(each.sentence)), false, this));
  }
  std::ranges::stable_sort(cards, {}, [](const auto& card) { return card.first; });
  for (const auto& [look, card] : cards) m_cards->insertWidget(m_cards->count() - 1, card);
  m_count = static_cast<int>(cards.size());
}

}  // namespace vqscope
