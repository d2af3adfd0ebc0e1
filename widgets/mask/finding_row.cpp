// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask/finding_row.h"

#include "widgets/parts/text.h"

#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QVBoxLayout>

#include <utility>

namespace vqscope {
namespace {

QLabel* wrapped(const QString& sentence, QWidget* parent) {
  auto* label = new QLabel(sentence, parent);
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  return label;
}

/// Keeps a minus sign on the line of its number.
QString sentenceOf(const Finding& finding) {
  return sentence(finding.sentence).replace(QLatin1String("-inf"), QStringLiteral("\u2011inf"));
}

std::pair<QString, const char*> headOf(Severity severity) {
  switch (severity) {
    case Severity::error: return {FindingRow::tr("✕ Error"), "finding-error"};
    case Severity::warning: return {FindingRow::tr("▲ Warning"), "finding-warning"};
    case Severity::question: break;
  }
  return {FindingRow::tr("? Question"), "secondary"};
}

}  // namespace

FindingRow::FindingRow(const Finding& finding, const QString& title, QWidget* parent) : QFrame(parent) {
  if (finding.row || finding.key) m_cell = Cell{finding.row.value_or(0), finding.key.value_or(0)};
  setProperty("class", "card");
  const auto [sign, look] = headOf(finding.severity);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(10, 7, 10, 8);
  layout->setSpacing(3);
  // A sign and a word, because colour alone is not accessible.
  auto* severity = wrapped(sign + QStringLiteral(" · ") + title, this);
  severity->setProperty("class", look);
  layout->addWidget(severity);
  layout->addWidget(wrapped(sentenceOf(finding), this));
  setAccessibleName(severity->text());
  setAccessibleDescription(text(finding.sentence));
  if (!m_cell) return;
  setCursor(Qt::PointingHandCursor);
  setFocusPolicy(Qt::StrongFocus);
  setToolTip(tr("Go to query %1, key %2").arg(m_cell->row).arg(m_cell->col));
}

void FindingRow::mouseReleaseEvent(QMouseEvent* event) {
  QFrame::mouseReleaseEvent(event);
  if (m_cell && event->button() == Qt::LeftButton && rect().contains(event->position().toPoint())) emit picked(*m_cell);
}

void FindingRow::keyPressEvent(QKeyEvent* event) {
  const bool go = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
  if (m_cell && go) return emit picked(*m_cell);
  QFrame::keyPressEvent(event);
}

}  // namespace vqscope
