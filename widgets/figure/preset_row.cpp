// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/figure/preset_row.h"

#include "widgets/parts/text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>

namespace vqscope {

PresetRow::PresetRow(QWidget* parent)
    : QWidget(parent),
      m_names(new QComboBox(this)),
      m_save(new QPushButton(tr("Save…"), this)),
      m_delete(new QPushButton(tr("Delete"), this)) {
  m_names->setAccessibleName(tr("Preset"));
  m_names->setPlaceholderText(tr("no preset"));
  m_names->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_names->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  m_save->setToolTip(tr("Keeps size, font, colours and parts in the session under a name"));
  m_delete->setToolTip(tr("Removes the preset from the session"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(m_names, 1);
  for (auto* button : {m_save, m_delete}) {
    button->setAutoDefault(false);
    row->addWidget(button);
  }
  connect(m_names, &QComboBox::activated, this, [this](int index) {
    if (index >= 0 && index < static_cast<int>(m_presets.size()))
      emit chosen(m_presets[static_cast<std::size_t>(index)].spec);
  });
  connect(m_save, &QPushButton::clicked, this, &PresetRow::askName);
  connect(m_delete, &QPushButton::clicked, this, &PresetRow::remove);
  setPresets({});
}

void PresetRow::setPresets(const std::vector<FigurePreset>& presets) {
  m_presets = presets;
  const QSignalBlocker quiet(m_names);
  m_names->clear();
  for (const FigurePreset& preset : m_presets) m_names->addItem(text(preset.name));
  showCurrent();
}

void PresetRow::setCurrent(const FigureSpec& spec) {
  m_current = spec;
  showCurrent();
}

void PresetRow::showCurrent() {
  const auto same = std::ranges::find(m_presets, m_current, &FigurePreset::spec);
  m_names->setCurrentIndex(same == m_presets.end() ? -1 : static_cast<int>(same - m_presets.begin()));
  m_names->setEnabled(!m_presets.empty());
  m_delete->setEnabled(same != m_presets.end());
}

void PresetRow::save(const QString& name) {
  const std::string given = name.trimmed().toStdString();
  auto presets = m_presets;
  std::erase_if(presets, [&](const FigurePreset& each) { return each.name == given; });
  presets.push_back({given, m_current});
  emit edited(tr("Save the figure preset %1").arg(name.trimmed()), presets);
}

void PresetRow::askName() {
  bool accepted = false;
  const QString name = QInputDialog::getText(this, tr("Save as preset"), tr("Name"), QLineEdit::Normal,
                                             m_names->currentText(), &accepted);
  if (accepted) save(name);
}

void PresetRow::remove() {
  const int index = m_names->currentIndex();
  if (index < 0) return;
  auto presets = m_presets;
  const QString name = m_names->currentText();
  presets.erase(presets.begin() + index);
  emit edited(tr("Delete the figure preset %1").arg(name), presets);
}

}  // namespace vqscope
