// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QPointer>

class QTabBar;
class QWidget;

namespace vqscope {

/// The widgets of `root` in reading order: that of their layouts.
QList<QWidget*> readingOrder(QWidget& root);

/// Keeps Tab in reading order within a widget whose contents change. Qt's order is that in which
/// they were made.
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

/// Shift+F10 opens the context menu of the widget with the focus. Qt knows only the menu key, which
/// many keyboards lack.
class MenuKey : public QObject {
  Q_OBJECT
 public:
  /// For the whole application, as long as the parent lives.
  explicit MenuKey(QObject* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

/// Takes the focus from hidden widgets, where Qt can leave it: if another window is active, if the
/// window restores the last focus widget, or if no other widget can have the focus. Keys would go
/// to invisible buttons.
class FocusGuard : public QObject {
 public:
  /// Watches the whole application.
  explicit FocusGuard(QObject* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

/// Keeps Tab away from the tabs of docks while QMainWindow has no use for them: it leaves them
/// outside the window.
class DockTabs : public QObject {
  Q_OBJECT
 public:
  explicit DockTabs(QTabBar* tabs);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void update();

  QTabBar* m_tabs;
};

}  // namespace vqscope
