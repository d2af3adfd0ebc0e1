// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/experiment_presets.h"

#include <QFrame>
#include <QToolButton>

class QLabel;

namespace vqscope {

/// "Questions": a menu of the presets of a page, grouped by experiment.
class PresetButton : public QToolButton {
  Q_OBJECT
 public:
  explicit PresetButton(QWidget* parent);

 signals:
  void chosen(const vqscope::ExperimentPreset* preset);
};

/// Question, note and source of the preset whose values the form has. Hidden if the form matches no preset.
class PresetNote : public QFrame {
  Q_OBJECT
 public:
  explicit PresetNote(QWidget* parent);

  void show(const Method& method, const ParameterValues& values);

 private:
  QLabel* m_title;
  QLabel* m_note;
};

}  // namespace vqscope
