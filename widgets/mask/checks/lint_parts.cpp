// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask/checks/lint_parts.h"

#include "core/lint/lint_case.h"
#include "widgets/form/control/row_parts.h"
#include "widgets/form/parameter_form.h"
#include "widgets/parts/text.h"
#include "widgets/parts/wrapping_button.h"
#include "widgets/session/workbench.h"

#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
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

FindingRow::FindingRow(const Finding& finding, const QString& title, QWidget* parent, const QString& place,
                       bool isElsewhere)
    : QFrame(parent), m_isElsewhere(isElsewhere) {
  if (finding.row || finding.key) m_cell = Cell{finding.row.value_or(0), finding.key.value_or(0)};
  setProperty("class", "card");
  const auto [sign, look] = headOf(finding.severity);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(10, 7, 10, 8);
  layout->setSpacing(3);
  // A sign and a word, because colour alone is not accessible.
  const QString dot = QStringLiteral(" · ");
  auto* severity = wrapped(sign + dot + (place.isEmpty() ? QString() : place + dot) + title, this);
  severity->setProperty("class", look);
  layout->addWidget(severity);
  layout->addWidget(wrapped(sentenceOf(finding), this));
  setAccessibleName(severity->text());
  setAccessibleDescription(text(finding.sentence));
  if (!isPickable()) return;
  QString target = m_isElsewhere ? place.toLower() : QString();
  if (m_isElsewhere && m_cell) target += QStringLiteral(", ");
  if (m_cell) target += tr("query %1, key %2").arg(m_cell->row).arg(m_cell->col);
  makePickable(tr("Go to %1").arg(target));
}

void FindingRow::makePickable(const QString& tip) {
  setCursor(Qt::PointingHandCursor);
  setFocusPolicy(Qt::StrongFocus);
  setToolTip(tip);
}

void FindingRow::addButton(const QString& text, const QString& tip, const std::function<void()>& run) {
  if (!m_buttons) {
    m_buttons = new QVBoxLayout;  // beside each other they would widen the panel
    m_buttons->setContentsMargins(0, 4, 0, 0);
    m_buttons->setSpacing(4);
    static_cast<QVBoxLayout*>(layout())->addLayout(m_buttons);
  }
  auto* button = new WrappingButton(text, this);
  button->setToolTip(tip);
  button->setCursor(Qt::PointingHandCursor);
  connect(button, &QPushButton::clicked, this, run);
  button->setMinimumWidth(1);
  m_buttons->addWidget(button, 0, Qt::AlignLeft);
}

void FindingRow::setJump(const QString& tip, std::function<void()> run) {
  if (isPickable()) return;
  m_jump = std::move(run);
  makePickable(tip);
}

void FindingRow::mouseReleaseEvent(QMouseEvent* event) {
  QFrame::mouseReleaseEvent(event);
  if (isPickable() && event->button() == Qt::LeftButton && rect().contains(event->position().toPoint())) pick();
}

void FindingRow::pick() {
  if (m_isElsewhere)
    emit placePicked();
  else if (m_cell)
    emit picked(*m_cell);
  else
    m_jump();
}

void FindingRow::keyPressEvent(QKeyEvent* event) {
  const bool go = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
  if (isPickable() && go) return pick();
  QFrame::keyPressEvent(event);
}

LintForm::LintForm(Workbench& workbench, QWidget* parent)
    : QWidget(parent),
      m_workbench(workbench),
      m_specs(lint_parameters()),
      m_fold(new QToolButton(this)),
      m_form(new ParameterForm(m_specs, this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  auto* indented = new QHBoxLayout;
  indented->setContentsMargins(ResetDot::room, 0, ResetDot::room, 0);
  indented->addWidget(m_fold);
  indented->addStretch(1);
  layout->addLayout(indented);
  layout->addWidget(m_form);
  m_fold->setCheckable(true);
  m_fold->setToolTip(tr("Set the objective, positions, labels, library and RoPE parameters to check the mask against"));
  connect(m_fold, &QToolButton::toggled, this, &LintForm::showFold);
  connect(m_form, &ParameterForm::valueEdited, this, &LintForm::onEdited);
  showFold();
  sync();
}

void LintForm::sync() {
  const ParameterValues& stated = m_workbench.current().lint;
  setVisible(!stated.map().empty());
  if (stated.map().empty()) return;
  m_form->setValues(stated);
  showFold();
}

bool LintForm::focusOn(const QString& name) {
  auto* field = m_form->findChild<QWidget*>(name);
  if (!field) return false;
  m_fold->setChecked(true);
  field->setFocus(Qt::ShortcutFocusReason);
  for (QWidget* above = parentWidget(); above; above = above->parentWidget())
    if (auto* area = qobject_cast<QScrollArea*>(above)) {
      area->ensureWidgetVisible(field);
      break;
    }
  return true;
}

void LintForm::setError(const QString& sentence) {
  const QString subject = sentence.section(QLatin1Char(' '), 0, 0);
  for (const auto& spec : m_specs) m_form->setError(text(spec.name), text(spec.name) == subject ? sentence : QString());
}

void LintForm::onEdited(const QString& name, const ParameterValue& value, bool finished) {
  ShownPage next = m_workbench.current();
  next.lint.set(name.toStdString(), value);
  // The form refuses values out of range, and the workbench checks nothing else of this value.
  if (const auto done = m_workbench.edit(tr("Set %1").arg(name), next, phaseOf(finished)); !done)
    m_form->setError(name, text(done.error().message));
}

/// The title of the folded form shows how many values are set.
void LintForm::showFold() {
  const auto stated = std::ranges::count_if(m_specs, [&](const ParameterSpec& spec) {
    const auto* value = m_form->values().find(spec.name);
    return value && *value != spec.default_value;
  });
  const bool open = m_fold->isChecked();
  QString title = (open ? QStringLiteral("▾ ") : QStringLiteral("▸ ")) + tr("Expected mask");
  if (stated > 0) title += tr(" · %1 set").arg(stated);
  m_fold->setText(title);
  m_form->setVisible(open);
}

}  // namespace vqscope
