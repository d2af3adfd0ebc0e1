// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/experiment/empty_result.h"

#include "core/base/text.h"
#include "core/run/run_estimate.h"
#include "widgets/experiment/overview/experiment_cards.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"
#include "widgets/start/start_parts.h"
#include "widgets/theme/fonts.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace vqscope {
namespace {

constexpr int mostWidth = 560;
constexpr int leastScrolled = 40;
constexpr std::size_t mostOthers = 4;

/// "models=rope,alibi train_steps=200", what a run sets.
QString settingsOf(const Method& method, const KeptRun& kept) {
  QStringList parts;
  for (const ParameterSpec& spec : method.parameters) {
    const auto value = kept.run.values.find(spec.name);
    if (value == kept.run.values.end() || value->second == format_value(spec.default_value)) continue;
    parts << text(spec.name) + QLatin1Char('=') + text(shortened(value->second, 24));
  }
  return parts.isEmpty() ? QObject::tr("all defaults") : parts.join(QLatin1Char(' '));
}

}  // namespace

EmptyResult::EmptyResult(QWidget* parent)
    : QWidget(parent),
      m_title(new QLabel(this)),
      m_help(paragraph(this)),
      m_run(new QPushButton(tr("Run"), this)),
      m_estimate(paragraph(this)),
      m_heading(heading(tr("Runs with other values"), this)) {
  setObjectName(QStringLiteral("emptyResult"));
  QFont font = scaledFont(uiFont(), 1.25);
  font.setWeight(QFont::DemiBold);
  m_title->setFont(font);
  m_title->setWordWrap(true);
  m_run->setObjectName(QStringLiteral("runHere"));
  m_estimate->setObjectName(QStringLiteral("runEstimate"));
  m_run->setProperty("class", "primary");
  auto* inner = new QWidget(this);
  inner->setMaximumWidth(mostWidth);
  auto* column = new QVBoxLayout(inner);
  column->setSpacing(8);
  auto* row = new QHBoxLayout;
  row->setSpacing(12);
  row->addWidget(m_run);
  row->addWidget(m_estimate, 1);
  column->addStretch(2);
  column->addWidget(m_title);
  column->addWidget(m_help);
  column->addLayout(row);
  column->addSpacing(12);
  column->addWidget(m_heading);
  m_others = new QVBoxLayout;
  m_others->setSpacing(0);
  column->addLayout(m_others);
  column->addStretch(3);
  auto* content = new QWidget;
  auto* across = new QHBoxLayout(content);
  across->addStretch(1);
  across->addWidget(inner, 100);
  across->addStretch(1);
  auto* scroll = new QScrollArea(this);  // so that a small window need not grow
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setMinimumHeight(leastScrolled);
  scroll->setWidget(content);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(scroll);
  connect(m_run, &QPushButton::clicked, this, &EmptyResult::runRequested);
}

void EmptyResult::show(const State& state) {
  m_title->setText(state.title);
  m_help->setText(text(state.method->help));
  m_run->setEnabled(state.canRun);
  m_estimate->setText(state.estimate);
  listOthers(state);
}

void EmptyResult::listOthers(const State& state) {
  std::vector<std::string> names;
  for (const KeptRun& run : state.others)
    if (names.size() < mostOthers) names.push_back(run.name);
  m_heading->setVisible(!names.empty());
  if (names == m_listed) return;
  m_listed = names;
  while (QLayoutItem* item = m_others->takeAt(0)) {
    item->widget()->deleteLater();  // a row may be the sender
    item->widget()->hide();
    delete item;
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const KeptRun& run = state.others[i];
    const QString settings = settingsOf(*state.method, run);
    const bool isHere = has_values_of(*state.method, run.run);
    auto* row = new LinkRow(settings, isHere ? runText(run.run) : tr("%1, in Runs").arg(runText(run.run)), this);
    const QString verdict = capitalised(verdict_of_run(*state.method, run));
    QStringList tips{verdict.isEmpty() ? settings : verdict};
    if (!isHere)
      tips << tr("Opens in Runs: this form has not all of its values. It is of version %1, or of files")
                  .arg(text(run.run.version));
    row->setToolTip(tips.join(QLatin1Char('\n')));
    connect(row, &QAbstractButton::clicked, this, [this, run] { emit runChosen(run); });
    m_others->addWidget(row);
  }
}

}  // namespace vqscope
