// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask/lint_form.h"

#include "core/lint/lint_case.h"
#include "widgets/form/control/reset_dot.h"
#include "widgets/form/parameter_form.h"
#include "widgets/parts/text.h"
#include "widgets/session/workbench.h"

#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace vqscope {

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
