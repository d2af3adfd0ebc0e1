// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/start/window_socket.h"

#include "app/process/open_request.h"
#include "tests/support/test_main.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <future>

using namespace vqscope;

namespace {

/// A window that listens.
struct Listening {
  QTemporaryDir folder;
  std::string path = folder.filePath("window").toStdString();
  bool busy = false;
  WindowSocket socket{path, [this] { return busy; }};
  QSignalSpy received{&socket, &WindowSocket::filesReceived};

  Listening() {
    if (!socket.claim()) qFatal("nobody listens");
  }
  /// The answer of handOver while the window handles its events.
  bool give(const OpenRequest& request) {
    auto taken = std::async(std::launch::async, handOver, path, request, std::chrono::milliseconds(20000));
    while (taken.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready) QCoreApplication::processEvents();
    return taken.get();
  }
};

/// A peer that says what it likes.
struct Visitor {
  int file = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  explicit Visitor(const std::string& path) {
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    std::memcpy(address.sun_path, path.data(), path.size());
    if (::connect(file, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) qFatal("cannot connect");
  }
  ~Visitor() { leave(); }
  void leave() {
    if (file >= 0) ::close(std::exchange(file, -1));
  }
  void say(std::string_view words) const {
    if (::send(file, words.data(), words.size(), MSG_NOSIGNAL) < 0) qFatal("cannot send");
  }
  /// What has been answered so far, and "end" once the window has hung up.
  QByteArray heard() {
    QCoreApplication::processEvents();
    char bytes[16];
    const auto got = ::recv(file, bytes, sizeof bytes, MSG_DONTWAIT);
    if (got > 0) m_heard.append(bytes, got);
    if (got == 0 && !m_heard.endsWith("end")) m_heard += "end";
    return m_heard;
  }

 private:
  QByteArray m_heard;
};

}  // namespace

class WindowSocketTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void filesArrive() {
    Listening s;
    QVERIFY(s.give({"token", {"/a b.py", "/c.npy"}}));
    QTRY_COMPARE(s.received.count(), 1);
    QCOMPARE(s.received[0][0].toStringList(), QStringList({"/a b.py", "/c.npy"}));
    QCOMPARE(s.received[0][1].toByteArray(), QByteArray("token"));
    QVERIFY(s.give({{}, {"/d.py"}}));
    QTRY_COMPARE(s.received.count(), 2);
  }

  void aBusyWindowTakesNone() {
    Listening s;
    s.busy = true;
    QVERIFY(!s.give({{}, {"/a.py"}}));
    s.busy = false;
    QVERIFY(s.give({{}, {"/a.py"}}));
    QTRY_COMPARE(s.received.count(), 1);
  }

  /// One that gave up before the answer opens a window of its own: the files are not opened here too.
  void oneThatLeavesOpensNothing() {
    Listening s;
    Visitor visitor(s.path);
    visitor.say(encodeRequest({{}, {"/a.py"}}));
    QTRY_COMPARE(visitor.heard(), QByteArray("ok\n"));
    visitor.leave();
    QVERIFY(s.give({{}, {"/b.py"}}));
    QTRY_COMPARE(s.received.count(), 1);
    QCOMPARE(s.received[0][0].toStringList(), QStringList("/b.py"));
  }

  void hostileVisitors() {
    Listening s;
    for (const std::string& words :
         {std::string("GET / HTTP/1.1\r\n\r\n"), std::string(100'000, 'x'), std::string("vqscope-open 1 99999999\n")}) {
      Visitor visitor(s.path);
      visitor.say(words);
      QTRY_COMPARE(visitor.heard(), QByteArray("end"));
    }
    Visitor wrong(s.path);
    wrong.say(encodeRequest({{}, {"/a.py"}}));
    QTRY_COMPARE(wrong.heard(), QByteArray("ok\n"));
    wrong.say("no\n");
    QTRY_COMPARE(wrong.heard(), QByteArray("ok\nend"));
    QCOMPARE(s.received.count(), 0);
  }

  /// The ninth is sent away.
  void silentVisitors() {
    Listening s;
    std::vector<std::unique_ptr<Visitor>> silent;
    for (int i = 0; i < 8; ++i) silent.push_back(std::make_unique<Visitor>(s.path));
    silent.push_back(std::make_unique<Visitor>(s.path));
    QTRY_COMPARE(silent.back()->heard(), QByteArray("end"));
    silent.clear();
    QCoreApplication::processEvents();
    QVERIFY(s.give({{}, {"/a.py"}}));
  }

  void theirTimeIsLimited() {
    const QTemporaryDir folder;
    const std::string path = folder.filePath("window").toStdString();
    WindowSocket impatient(
        path, [] { return false; }, 1);
    QVERIFY(impatient.claim());
    Visitor silent(path);
    QTRY_COMPARE(silent.heard(), QByteArray("end"));
  }

  void onlyOneListens() {
    auto first = std::make_unique<Listening>();
    WindowSocket second(first->path, [] { return false; });
    QVERIFY(!second.claim());
    QVERIFY(first->socket.claim());
    QVERIFY(first->give({{}, {"/a.py"}}));
  }

  /// A process that was killed leaves its socket behind.
  void aDeadSocketIsReplaced() {
    const QTemporaryDir folder;
    const std::string path = folder.filePath("window").toStdString();
    QFile file(folder.filePath("window"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    {
      WindowSocket socket(path, [] { return false; });
      QVERIFY(socket.claim());
    }
    QVERIFY(!file.exists());
    WindowSocket next(path, [] { return false; });
    QVERIFY(next.claim());
    WindowSocket nowhere({}, [] { return false; });
    QVERIFY(!nowhere.claim());
  }
};

VQSCOPE_TEST(WindowSocketTest)
#include "window_socket_test.moc"
