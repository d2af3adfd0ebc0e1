// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace vqscope {

/// A line of a list that opens something: its text, elided in the middle, and a grey detail at the right, over a thin
/// line.
class LinkRow : public QAbstractButton {
  Q_OBJECT
 public:
  LinkRow(const QString& words, const QString& detail, QWidget* parent);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {60, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString m_detail;
};

}  // namespace vqscope
