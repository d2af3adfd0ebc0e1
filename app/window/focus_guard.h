// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace vqscope {

/// Takes the focus from what is hidden: Qt leaves it there when another window is active meanwhile, gives it back to
/// what the window knew last, or finds nothing to give it to. Keys would go to buttons that nobody sees.
class FocusGuard : public QObject {
 public:
  /// Of the whole application.
  explicit FocusGuard(QObject* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace vqscope
