// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace vqscope {

/// Takes the focus from hidden widgets, where Qt can leave it: if another window is active, if the window restores the
/// last focus widget, or if no other widget can have the focus. Keys would go to invisible buttons.
class FocusGuard : public QObject {
 public:
  /// Watches the whole application.
  explicit FocusGuard(QObject* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace vqscope
