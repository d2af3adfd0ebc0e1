// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace vqscope {

/// Shift+F10 opens the context menu of the widget with the focus. Qt knows only the menu key, which many keyboards
/// lack.
class MenuKey : public QObject {
  Q_OBJECT
 public:
  /// For the whole application, as long as the parent lives.
  explicit MenuKey(QObject* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace vqscope
