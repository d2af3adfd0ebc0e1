// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/palette.h"

#include <QObject>

#include <memory>
#include <optional>

class QDBusConnection;
class QDBusMessage;
class QDBusPendingCallWatcher;
class QVariant;
Q_MOC_INCLUDE(<QDBusMessage>)

namespace vqscope {

/// The theme that a value of the setting org.freedesktop.appearance color-scheme asks for; nothing: no
/// preference.
std::optional<Theme> themeOfScheme(const QVariant& value);

/// Follows the desktop's choice of light or dark through its portal, which all desktops have:
/// systemTheme() is what the portal says, as far as it has answered.
class DesktopTheme : public QObject {
  Q_OBJECT
 public:
  /// `service`: name of the portal on the bus; empty: the peer of the connection.
  DesktopTheme(const QDBusConnection& bus, const QString& service);
  ~DesktopTheme() override;
  /// Of the session's bus; null: there is none.
  static std::unique_ptr<DesktopTheme> ofSession();
  /// Waits for the first answer, 100 milliseconds at most; a later one is taken when it comes.
  void wait();

 signals:
  /// systemTheme() has changed.
  void changed();

 private slots:
  void onSettingChanged(const QDBusMessage& message);

 private:
  void read(int limit);
  void take(const QVariant& value);

  std::unique_ptr<QDBusConnection> m_bus;
  QString m_service;
  QDBusPendingCallWatcher* m_reading = nullptr;  ///< null: has answered
};

}  // namespace vqscope
