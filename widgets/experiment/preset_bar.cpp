// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/experiment/preset_bar.h"

#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"

#include <QLabel>
#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>

namespace vqscope {

PresetButton::PresetButton(QWidget* parent) : QToolButton(parent) {
  setObjectName(QStringLiteral("presets"));
  setText(tr("Questions"));
  setToolTip(tr("Experiments with values that answer a question from a paper"));
  setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(this);
  menu->setToolTipsVisible(true);
  const Method* last = nullptr;
  std::vector<const ExperimentPreset*> presets;
  for (const auto& preset : experiment_presets())
    if (preset.experiment->curves()) presets.push_back(&preset);
  std::ranges::stable_sort(presets, {}, [](const auto* preset) { return preset->experiment->title; });
  for (const auto* preset : presets) {
    if (preset->experiment != last) menu->addAction(vqscope::text(preset->experiment->title))->setEnabled(false);
    last = preset->experiment;
    QAction* action = menu->addAction(vqscope::text(preset->title));
    action->setToolTip(vqscope::text(preset->note));
    connect(action, &QAction::triggered, this, [this, preset] { emit chosen(preset); });
  }
  setMenu(menu);
}

PresetNote::PresetNote(QWidget* parent) : QFrame(parent), m_title(new QLabel(this)), m_note(paragraph(this)) {
  setObjectName(QStringLiteral("presetNote"));
  QFont bold = m_title->font();
  bold.setBold(true);
  m_title->setFont(bold);
  m_title->setWordWrap(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 0, 12, 8);
  column->setSpacing(2);
  column->addWidget(m_title);
  column->addWidget(m_note);
  hide();
}

void PresetNote::show(const Method& method, const ParameterValues& values) {
  const auto presets = experiment_presets();
  const auto shown = std::ranges::find_if(
      presets, [&](const auto& preset) { return preset.experiment == &method && preset.values == values; });
  setVisible(shown != presets.end());
  if (shown == presets.end()) return;
  m_title->setText(text(shown->title));
  m_note->setText(text(shown->note) + QLatin1Char(' ') + text(shown->source) + QLatin1Char('.'));
}

}  // namespace vqscope
