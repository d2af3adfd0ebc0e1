// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/work_notifier.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QWidget>

namespace vqscope {
namespace {

constexpr double longWork = 10;  // seconds

}  // namespace

void WorkNotifier::workEnded(const QString& title, const QString& words, double seconds, bool isOnTop) const {
  if (seconds < longWork) return;
  if (!m_window.isActiveWindow()) m_onDesktop(title, words);
  if (!isOnTop) m_inWindow(title, words);
}

/// Nothing waits for the service; without one the window asks for attention.
WorkNotifier::Send WorkNotifier::desktop(QWidget& window) {
  return [&window](const QString& title, const QString& words) {
    const QString name = QStringLiteral("org.freedesktop.Notifications");
    QDBusMessage call = QDBusMessage::createMethodCall(name, QStringLiteral("/org/freedesktop/Notifications"), name,
                                                       QStringLiteral("Notify"));
    const QString application = QStringLiteral("vqscope");  // of the icon and the desktop entry
    const QVariantMap hints{{QStringLiteral("desktop-entry"), application}};
    call.setArguments(
        {QStringLiteral("VQScope"), 0U, application, title, words.toHtmlEscaped(), QStringList(), hints, -1});
    auto* waiting = new QDBusPendingCallWatcher(QDBusConnection::sessionBus().asyncCall(call), &window);
    QObject::connect(waiting, &QDBusPendingCallWatcher::finished, &window, [&window, waiting] {
      if (waiting->isError()) QApplication::alert(&window);
      waiting->deleteLater();
    });
  };
}

}  // namespace vqscope
