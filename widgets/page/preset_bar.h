// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/experiment_presets.h"

#include <QFrame>
#include <QToolButton>

class QLabel;

namespace vqscope {

/// "Questions": a menu of the presets of the experiments that a page has, by experiment.
class PresetButton : public QToolButton {
  Q_OBJECT
 public:
  explicit PresetButton(QWidget* parent);

 signals:
  void chosen(const vqscope::ExperimentPreset* preset);
};

/// What the preset whose values the form has says: its question, its note and its source. Hidden while the form has
/// the values of none.
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
