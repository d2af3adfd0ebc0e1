// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sweep/sweep_setup.h"

#include "core/base/machine.h"
#include "core/method/method.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"
#include "widgets/plot/value_summary.h"
#include "widgets/sweep/vary_list.h"

#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace vqscope {
namespace {

QSpinBox* countBox(const char* name, Index most, const QString& tip, QWidget* parent) {
  auto* box = new QSpinBox(parent);
  box->setObjectName(QLatin1String(name));
  box->setRange(1, static_cast<int>(most));
  box->setToolTip(tip);
  box->setMaximumWidth(90);
  return box;
}

}  // namespace

SweepSetup::SweepSetup(QWidget* parent)
    : QWidget(parent),
      m_title(paragraph(this, "title")),
      m_fixed(paragraph(this)),
      m_vary(new VaryList(this)),
      m_seeds(countBox("seeds", most_seeds, tr("Vary the seed: its value in the form and those after it"), this)),
      m_folder(new QLineEdit(this)),
      m_jobs(countBox("jobs", most_jobs, tr("Number of points computed at the same time"), this)),
      m_jobsNote(paragraph(this)) {
  m_fixed->setToolTip(tr("The other parameters take the values of the form"));
  m_jobsNote->setText(
      tr("This experiment measures time: points computed at the same time would slow each other down."));
  auto* form = new QFormLayout;
  form->setContentsMargins(0, 0, 0, 0);
  form->setVerticalSpacing(8);
  form->addRow(tr("Seeds"), m_seeds);
  form->addRow(tr("Results in"), makeFolderRow());
  form->addRow(tr("Points at a time"), m_jobs);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(8);
  column->addWidget(m_title);
  column->addWidget(m_fixed);
  column->addWidget(heading(tr("Vary"), this));
  column->addWidget(m_vary);
  column->addLayout(form);
  column->addWidget(m_jobsNote);
  connect(m_vary, &VaryList::changed, this, [this] {
    showFixed();
    emit changed();
  });
  connect(m_seeds, &QSpinBox::valueChanged, this, &SweepSetup::changed);
  connect(m_folder, &QLineEdit::textChanged, this, &SweepSetup::changed);
}

QWidget* SweepSetup::makeFolderRow() {
  auto* widget = new QWidget(this);
  auto* row = new QHBoxLayout(widget);
  row->setContentsMargins(0, 0, 0, 0);
  m_folder->setObjectName(QStringLiteral("folder"));
  m_folder->setAccessibleName(tr("Folder of results"));
  auto* choose = new QPushButton(tr("Choose…"), widget);
  choose->setAutoDefault(false);
  row->addWidget(m_folder, 1);
  row->addWidget(choose);
  connect(choose, &QPushButton::clicked, this, &SweepSetup::chooseFolder);
  showOwnFolder({});
  return widget;
}

void SweepSetup::chooseFolder() {
  const QString chosen = QFileDialog::getExistingDirectory(this, tr("Folder of results"), folder());
  if (!chosen.isEmpty()) m_folder->setText(chosen);
}

void SweepSetup::setBase(const Method& method, const ParameterValues& values) {
  if (m_method == &method && m_values == values) return;
  const bool other = m_method != &method;
  m_method = &method;
  m_values = values;
  m_title->setText(text(method.title));
  m_vary->setMethod(method, values);
  const auto* seed = find_spec(method.parameters, "seed");
  m_seeds->setEnabled(seed && seed->kind == ParameterKind::integer);
  if (!m_seeds->isEnabled()) m_seeds->setValue(1);
  if (other) {
    const bool clocked = method.curves()->clocked;
    m_jobs->setValue(clocked ? 1 : this_machine().cores);
    m_jobsNote->setVisible(clocked);
  }
  showFixed();
  emit changed();
}

/// The values of the form that differ from the defaults, without the varying ones.
void SweepSetup::showFixed() {
  if (!m_method) return;
  ParameterValues values = m_values;
  for (const auto& text : m_vary->texts())
    if (const auto* spec = find_spec(m_method->parameters, text.name)) values.set(spec->name, spec->default_value);
  const QString fixed = valueSummary(*m_method, values);
  m_fixed->setText(fixed.isEmpty() ? tr("All other values are the defaults") : fixed);
}

void SweepSetup::setVaried(const std::vector<VaryText>& varied) {
  m_seeds->setValue(1);
  m_vary->setTexts(varied);
}

SweepPlan SweepSetup::plan() const {
  return {.method = m_method, .values = m_values, .varied = m_vary->texts(), .seeds = m_seeds->value()};
}

QString SweepSetup::folder() const {
  const QString typed = m_folder->text().trimmed();
  return typed.startsWith(QLatin1String("~/")) ? QDir::homePath() + typed.mid(1) : typed;
}

Index SweepSetup::jobs() const { return m_jobs->value(); }

void SweepSetup::showOwnFolder(const QString& folder) {
  m_folder->setPlaceholderText(folder.isEmpty() ? tr("a folder of its own") : folder);
  m_folder->setToolTip(folder.isEmpty() ? tr("Folder of the sweep, with a file for each finished point")
                                        : tr("A file for each finished point, in %1").arg(folder));
}

}  // namespace vqscope
