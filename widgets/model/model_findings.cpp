// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/model/model_findings.h"

#include "widgets/model/layer_words.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"

#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QStyle>
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

void setLook(QLabel& label, const char* look) {
  if (label.property("class").toString() == QLatin1String(look)) return;
  label.setProperty("class", look);
  label.style()->unpolish(&label);
  label.style()->polish(&label);
}

}  // namespace

FindingCard::FindingCard(QWidget* parent)
    : QFrame(parent), m_head(paragraph(this, "title")), m_body(paragraph(this, "remark")) {
  setProperty("class", "card");
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(10, 7, 10, 8);
  layout->setSpacing(3);
  layout->addWidget(m_head);
  layout->addWidget(m_body);
}

void FindingCard::setContent(const Content& content) {
  m_content = content;
  const auto [sign, look] = headOf(content.look);
  setLook(*m_head, look);
  m_head->setText(sign + content.title);
  m_body->setText(content.sentence);
  const bool isLink = content.place.has_value();
  for (QLabel* label : {m_head, m_body})
    label->setTextInteractionFlags(isLink ? Qt::NoTextInteraction : Qt::TextSelectableByMouse);
  setAccessibleName(content.title);
  setAccessibleDescription(content.sentence);
  setCursor(isLink ? Qt::PointingHandCursor : Qt::ArrowCursor);
  setFocusPolicy(isLink ? Qt::StrongFocus : Qt::NoFocus);
  setToolTip(isLink ? tr("Show this place in the picture") : QString());
}

void FindingCard::mouseReleaseEvent(QMouseEvent* event) {
  QFrame::mouseReleaseEvent(event);
  const bool inside = rect().contains(event->position().toPoint());
  if (m_content.place && event->button() == Qt::LeftButton && inside) emit picked(ScheduleFinding(*m_content.place));
}

void FindingCard::keyPressEvent(QKeyEvent* event) {
  const bool go = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
  if (m_content.place && go) return emit picked(ScheduleFinding(*m_content.place));
  QFrame::keyPressEvent(event);
}

ModelFindings::ModelFindings(QWidget* parent)
    : QWidget(parent), m_layout(new QVBoxLayout(this)), m_none(paragraph(this)) {
  m_layout->setContentsMargins(0, 0, 0, 0);
  m_layout->setSpacing(8);
  m_none->setText(tr("No leak or loss: every earlier token of its document reaches the query."));
  m_layout->addWidget(m_none);
  m_layout->addStretch(1);
}

void ModelFindings::setFindings(const std::vector<ScheduleFinding>& layers, const std::vector<ConfigFinding>& config) {
  std::vector<FindingCard::Content> contents;
  for (const ScheduleFinding& each : layers)
    contents.push_back({lookOf(each.severity), groupedNumbers(text(each.title)), groupedNumbers(text(each.sentence)),
                        each.layer >= 0 ? std::optional(each) : std::nullopt});
  for (const ConfigFinding& each : config)
    contents.push_back({lookOf(each.severity), each.path.empty() ? tr("Config") : text(each.path),
                        groupedNumbers(sentence(each.sentence))});
  std::ranges::stable_sort(contents, {}, &FindingCard::Content::look);
  while (m_cards.size() < contents.size()) {
    auto* card = new FindingCard(this);
    connect(card, &FindingCard::picked, this, &ModelFindings::picked);
    m_layout->insertWidget(m_layout->count() - 1, card);
    m_cards.push_back(card);
  }
  for (std::size_t i = 0; i < m_cards.size(); ++i) {
    if (i < contents.size()) m_cards[i]->setContent(contents[i]);
    m_cards[i]->setVisible(i < contents.size());
  }
  m_none->setVisible(contents.empty());
}

}  // namespace vqscope
