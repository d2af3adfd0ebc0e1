// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace vqscope {

/// The dot before a parameter whose value is not the default; a click resets it. Unmodified, it keeps its room and is
/// out of the way of mouse and keyboard.
class ResetDot : public QAbstractButton {
  Q_OBJECT
 public:
  static constexpr int room = 14;  ///< the margin on the left of a form

  explicit ResetDot(QWidget* parent = nullptr);
  QSize sizeHint() const override { return {room, room}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace vqscope
