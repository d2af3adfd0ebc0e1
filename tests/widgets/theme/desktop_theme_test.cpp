// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/desktop_theme.h"

#include "tests/support/test_main.h"

#include <QDBusConnection>
#include <QDBusServer>
#include <QDBusVariant>
#include <QSignalSpy>
#include <QTest>

using namespace vqscope;

namespace {

/// The settings of a portal, with the colour scheme alone.
class FakePortal : public QObject {
  Q_OBJECT
  Q_CLASSINFO("D-Bus Interface", "org.freedesktop.portal.Settings")

 public:
  uint scheme = 0;
  void set(uint value, const QString& key = "color-scheme") {
    scheme = value;
    emit SettingChanged("org.freedesktop.appearance", key, QDBusVariant(value));
  }

 public slots:
  QDBusVariant Read(const QString&, const QString&) { return QDBusVariant(QVariant::fromValue(QDBusVariant(scheme))); }

 signals:
  void SettingChanged(const QString& group, const QString& key, const QDBusVariant& value);
};

/// A connection between two ends in this process.
struct Peers {
  FakePortal portal;
  QDBusServer server;
  QDBusConnection client{"none"};

  explicit Peers(uint scheme) {
    portal.scheme = scheme;
    QObject::connect(&server, &QDBusServer::newConnection, &portal, [this](QDBusConnection connection) {
      connection.registerObject("/org/freedesktop/portal/desktop", &portal,
                                QDBusConnection::ExportAllSlots | QDBusConnection::ExportAllSignals);
    });
    client = QDBusConnection::connectToPeer(server.address(), "desktop-theme-test");
  }
  ~Peers() { QDBusConnection::disconnectFromPeer("desktop-theme-test"); }
};

}  // namespace

class DesktopThemeTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void schemes() {
    const auto nested = [](const QVariant& value) { return QVariant::fromValue(QDBusVariant(value)); };
    QVERIFY(themeOfScheme(1U) == Theme::dark);
    QVERIFY(themeOfScheme(nested(nested(2U))) == Theme::light);
    for (const QVariant& none : {QVariant(0U), QVariant(3U), QVariant(), QVariant("dark"), QVariant(1), nested("1")})
      QVERIFY(!themeOfScheme(none));
  }

  /// The portal is in this thread, so it answers only after wait() has given up.
  void aLateAnswerIsTaken() {
    const Theme before = systemTheme();
    Peers peers(before == Theme::dark ? 2 : 1);
    DesktopTheme desktop(peers.client, {});
    desktop.wait();
    QVERIFY(systemTheme() == before);
    QTRY_VERIFY(systemTheme() != before);
  }

  void thePortalIsFollowed() {
    const Theme before = systemTheme();
    Peers peers(1);
    {
      DesktopTheme desktop(peers.client, {});
      QTRY_VERIFY(systemTheme() == Theme::dark);
      QSignalSpy changed(&desktop, &DesktopTheme::changed);
      peers.portal.set(2);
      QTRY_VERIFY(systemTheme() == Theme::light);
      QCOMPARE(changed.count(), 1);
      peers.portal.set(1, "contrast");
      peers.portal.set(2);
      peers.portal.set(1);
      QTRY_VERIFY(systemTheme() == Theme::dark);
      QCOMPARE(changed.count(), 2);
      peers.portal.set(0);
      QTRY_VERIFY(systemTheme() == before);
    }
    QVERIFY(systemTheme() == before);
  }
};

VQSCOPE_TEST(DesktopThemeTest)
#include "desktop_theme_test.moc"
