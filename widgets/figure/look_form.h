// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/figure/figure_spec.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QSpinBox;

namespace vqscope {

class SideBox;

/// Edits a FigureSpec: size, grid, font, colours, resolution, and the parts that are shown.
class LookForm : public QWidget {
  Q_OBJECT
 public:
  explicit LookForm(QWidget* parent = nullptr);

  void setSpec(const FigureSpec& spec);
  /// What is set, or what is wrong with it.
  Result<FigureSpec> spec() const;
  /// The grids to choose from are those for so many panels.
  void setPanels(std::size_t count);
  /// The height is the one that suits the width and the grid.
  void followWidth();
  bool followsWidth() const;

 signals:
  void changed();

 private:
  QWidget* makeParts();
  void fillGrids();
  double suggestedHeight(const FigureSpec& spec) const;

  SideBox* m_width;
  SideBox* m_height;
  QComboBox* m_grid;
  QComboBox* m_font;
  QDoubleSpinBox* m_fontSize;
  QComboBox* m_theme;
  QSpinBox* m_dpi;
  QCheckBox* m_title = nullptr;
  QCheckBox* m_axes = nullptr;
  QCheckBox* m_legend = nullptr;
  QCheckBox* m_colourBar = nullptr;
  int m_panels = 1;
};

}  // namespace vqscope
