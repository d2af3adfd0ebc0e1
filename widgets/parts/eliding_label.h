// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace vqscope {

/// One line of text that ends in "…" where it does not fit, with the whole text as tooltip. It
/// never widens a layout.
class ElidingLabel : public QLabel {
  Q_OBJECT
 public:
  explicit ElidingLabel(QWidget* parent = nullptr, Qt::TextElideMode mode = Qt::ElideRight);

  bool isCut() const;
  QSize minimumSizeHint() const override;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  /// The text that is painted if there is space for it.
  virtual QString shownText() const { return text(); }

 private:
  const Qt::TextElideMode m_mode;
};

}  // namespace vqscope
