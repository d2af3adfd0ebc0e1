// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/parts/eliding_label.h"

namespace vqscope {

/// The error of a row of a form, in the gap below the row. It takes no space in the layout and no clicks, so that a
/// click on the next field does not miss it. If there is no room for the sentence, it leaves out what the row shows.
class ErrorLine : public ElidingLabel {
  Q_OBJECT
 public:
  /// Lies over the parent of the row.
  explicit ErrorLine(QWidget* row);

  /// Empty: none.
  void showSentence(const QString& sentence);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  QString shownText() const override;

 private:
  void place();

  QWidget* m_row;
};

}  // namespace vqscope
