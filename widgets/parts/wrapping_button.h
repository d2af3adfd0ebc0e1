// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

namespace vqscope {

/// A button whose text goes on in further lines where it is narrow; after the third it ends in "…".
class WrappingButton : public QPushButton {
  Q_OBJECT
 public:
  explicit WrappingButton(const QString& text, QWidget* parent = nullptr);

  /// The text as painted in this width of the button.
  QString shownText(int width) const;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  int padding() const;
};

}  // namespace vqscope
