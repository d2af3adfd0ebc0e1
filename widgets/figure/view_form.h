// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/figure/figure_view.h"

#include <QWidget>

class QLineEdit;
class QRadioButton;

namespace vqscope {

/// Edits the texts and the part of one view of a figure.
class ViewForm : public QWidget {
  Q_OBJECT
 public:
  explicit ViewForm(QWidget* parent = nullptr);

  void show(const FigureView& view);
  /// Puts what is set into the view.
  void fill(FigureView& view) const;

 signals:
  void changed();

 private:
  void showPart(const FigureView& view);

  QLineEdit* m_title;
  QLineEdit* m_x;
  QLineEdit* m_y;
  QRadioButton* m_whole;
  QRadioButton* m_visible;
  QRadioButton* m_block;
  QLineEdit* m_rows;
  QLineEdit* m_cols;
};

}  // namespace vqscope
