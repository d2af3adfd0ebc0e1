// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/figure/figure_spec.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QPushButton;

namespace vqscope {

/// The presets of a session: chooses one, keeps the figure as it is now, or deletes one.
class PresetRow : public QWidget {
  Q_OBJECT
 public:
  explicit PresetRow(QWidget* parent = nullptr);

  void setPresets(const std::vector<FigurePreset>& presets);
  /// What is saved next, and what no preset is needed for.
  void setCurrent(const FigureSpec& spec);
  /// The presets with the current figure under this name.
  void save(const QString& name);

 signals:
  void chosen(const vqscope::FigureSpec& spec);
  /// Other presets are to be kept. `text` says what is done, for undo.
  void edited(const QString& text, const std::vector<vqscope::FigurePreset>& presets);

 private:
  void askName();
  void remove();
  void showCurrent();

  QComboBox* m_names;
  QPushButton* m_save;
  QPushButton* m_delete;
  std::vector<FigurePreset> m_presets;
  FigureSpec m_current;
};

}  // namespace vqscope
