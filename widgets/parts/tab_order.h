// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QPointer>

class QWidget;

namespace vqscope {

/// The widgets of `root` in reading order: that of their layouts.
QList<QWidget*> readingOrder(QWidget& root);

/// Keeps Tab in reading order within a widget whose contents change. Qt's order is that in which they were made.
class TabOrder : public QObject {
  Q_OBJECT
 public:
  /// The root owns it.
  explicit TabOrder(QWidget& root);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void apply();

  QWidget& m_root;
  QList<QPointer<QWidget>> m_applied;
  bool m_waiting = false;
};

}  // namespace vqscope
