// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/desktop_theme.h"

#include <QDBusConnection>
#include <QDBusError>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QVariant>

namespace vqscope {
namespace {

constexpr int firstMilliseconds = 100;
constexpr int laterMilliseconds = 20000;
const QString portalPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString settings = QStringLiteral("org.freedesktop.portal.Settings");
const QString appearance = QStringLiteral("org.freedesktop.appearance");
const QString colourScheme = QStringLiteral("color-scheme");

}  // namespace

/// Portals put a variant within a variant.
std::optional<Theme> themeOfScheme(const QVariant& value) {
  QVariant inner = value;
  for (int depth = 0; depth < 3 && inner.canConvert<QDBusVariant>(); ++depth)
    inner = inner.value<QDBusVariant>().variant();
  if (inner.userType() != QMetaType::UInt) return std::nullopt;
  switch (inner.toUInt()) {
    case 1: return Theme::dark;
    case 2: return Theme::light;
    default: return std::nullopt;
  }
}

DesktopTheme::DesktopTheme(const QDBusConnection& bus, const QString& service)
    : m_bus(std::make_unique<QDBusConnection>(bus)), m_service(service) {
  m_bus->connect(service, portalPath, settings, QStringLiteral("SettingChanged"), this,
                 SLOT(onSettingChanged(QDBusMessage)));
  read(firstMilliseconds);
}

/// A portal that has to be started first may take longer than the first question waits.
void DesktopTheme::read(int limit) {
  QDBusMessage question = QDBusMessage::createMethodCall(m_service, portalPath, settings, QStringLiteral("Read"));
  question << appearance << colourScheme;
  m_reading = new QDBusPendingCallWatcher(m_bus->asyncCall(question, limit), this);
  connect(m_reading, &QDBusPendingCallWatcher::finished, this, [this, limit](QDBusPendingCallWatcher* finished) {
    finished->deleteLater();
    m_reading = nullptr;
    const QDBusPendingReply<QDBusVariant> answer = *finished;
    if (!answer.isError()) return take(QVariant::fromValue(answer.value()));
    if (limit == firstMilliseconds && answer.error().type() == QDBusError::NoReply) read(laterMilliseconds);
  });
}

void DesktopTheme::wait() {
  if (!m_reading) return;
  QDBusPendingReply<QDBusVariant> answer = *m_reading;  // a copy, because the watcher ends with the call
  answer.waitForFinished();
  if (!answer.isError()) take(QVariant::fromValue(answer.value()));
}

DesktopTheme::~DesktopTheme() { preferTheme(std::nullopt); }

std::unique_ptr<DesktopTheme> DesktopTheme::ofSession() {
  // Without an address Qt would start a bus of its own.
  if (qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS")) return nullptr;
  const QDBusConnection bus = QDBusConnection::sessionBus();
  if (!bus.isConnected()) return nullptr;
  return std::make_unique<DesktopTheme>(bus, QStringLiteral("org.freedesktop.portal.Desktop"));
}

void DesktopTheme::onSettingChanged(const QDBusMessage& message) {
  const QVariantList arguments = message.arguments();
  if (arguments.size() == 3 && arguments[0] == appearance && arguments[1] == colourScheme) take(arguments[2]);
}

void DesktopTheme::take(const QVariant& value) {
  const Theme before = systemTheme();
  preferTheme(themeOfScheme(value));
  if (systemTheme() != before) emit changed();
}

}  // namespace vqscope
