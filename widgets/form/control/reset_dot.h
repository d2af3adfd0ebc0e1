// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace vqscope {

/// The dot before a parameter whose value is not the default; a click resets it. At the default value, the dot is
/// invisible, keeps its space, and ignores mouse and keyboard.
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
