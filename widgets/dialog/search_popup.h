// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/dialog/search_row.h"

#include <QFrame>

#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;

namespace vqscope {

/// The list below the search field, within the window, and a remark below. Headings cannot be chosen.
/// The focus stays in the field.
class SearchPopup : public QFrame {
  Q_OBJECT
 public:
  explicit SearchPopup(QLineEdit& field);

  /// Places the list below the field, aligned to its right edge, as high as its rows and the window
  /// allow.
  void show(const std::vector<SearchRow>& rows, const QString& remark);
  using QFrame::show;

  /// The marked row; -1: none.
  int current() const;
  /// Marks another row, over headings.
  void move(int by);
  using QFrame::move;
  int count() const;
  QString remark() const;

 signals:
  void chosen(int row);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void place();

  QLineEdit& m_field;
  QListWidget* m_list;
  QLabel* m_remark;
};

}  // namespace vqscope
