// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/open_request.h"

#include "tests/support/test_main.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

using namespace vqscope;

namespace {

using namespace std::chrono_literals;

/// A socket that is bound to a path, and listens or not.
struct BoundSocket {
  int file = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  BoundSocket(const std::string& path, bool listens) {
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    std::memcpy(address.sun_path, path.data(), path.size());
    if (::bind(file, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) qFatal("cannot bind");
    if (listens && ::listen(file, 1) != 0) qFatal("cannot listen");
  }
  ~BoundSocket() { ::close(file); }
};

std::string encoded(const std::string& body) { return "vqscope-open 1 " + std::to_string(body.size()) + "\n" + body; }

}  // namespace

class OpenRequestTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void requestsReadBack() {
    const OpenRequest request{"token-1_TIME7", {"/home/ada/mask.py", "/tmp/\xff \n\".npy"}};
    const std::string bytes = encodeRequest(request);
    const auto decoded = decodeRequest(bytes);
    QVERIFY(decoded && *decoded && **decoded == request);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const auto part = decodeRequest(std::string_view(bytes).substr(0, i));
      QVERIFY2(part && !*part, bytes.substr(0, i).c_str());
    }
    const OpenRequest spaced{"a b", {"/a"}};
    QCOMPARE((*decodeRequest(encodeRequest(spaced)))->token, std::string());
  }

  void otherBytesAreRefused() {
    using namespace std::string_literals;
    for (const std::string& bytes :
         {"GET / HTTP/1.1"s, "vqscope-open 2 4\n"s, "vqscope-open 1 0\n"s, "vqscope-open 1 -4\n"s,
          "vqscope-open 1 99999999999999999999\n"s, "vqscope-open 1 300001\n"s, "vqscope-open 1 x\n"s,
          std::string(40, 'v'), encoded("\0/a"s) + "x", encoded("token"), encoded("\0relative.py"s),
          encoded("a b\0/a"s), encoded("\0/a\0"s), encoded("\0/" + std::string(4096, 'a')),
          encoded(std::string(300, 't') + "\0/a"s), encoded([] {
            std::string many;
            for (int i = 0; i < 65; ++i) many += "\0/a"s;
            return many;
          }())})
      QVERIFY2(!decodeRequest(bytes), bytes.c_str());
    QCOMPARE(decodeRequest("x").error().message, std::string("not a request to open files"));
  }

  /// No file, a file that is no socket, the socket of a dead process, one that never answers.
  void nobodyTakesThem() {
    const QTemporaryDir folder;
    const std::string path = folder.filePath("window").toStdString();
    const OpenRequest request{{}, {"/a.py"}};
    QVERIFY(!handOver({}, request));
    QVERIFY(!handOver(path, request));
    QFile file(folder.filePath("window"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(!handOver(path, request));
    QVERIFY(file.remove());
    { const BoundSocket dead(path, false); }
    QVERIFY(!handOver(path, request));
    QVERIFY(file.remove());
    const BoundSocket hanging(path, true);
    QVERIFY(!handOver(path, request, 5ms));
    QVERIFY(!handOver(std::string(200, 'x'), request));
    QVERIFY(!handOver(path, {{}, {"relative.py"}}));
  }

  void onlyPrivateFolders() {
    const QTemporaryDir folder;
    QVERIFY(isPrivateFolder(folder.path().toStdString()));
    QVERIFY(!isPrivateFolder(""));
    QVERIFY(!isPrivateFolder("relative"));
    QVERIFY(!isPrivateFolder(folder.filePath("missing").toStdString()));
    const QString open = folder.filePath("open");
    QVERIFY(QDir().mkdir(open));
    QVERIFY(QFile::setPermissions(open, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner | QFile::WriteOther));
    QVERIFY(!isPrivateFolder(open.toStdString()));
    QVERIFY(QFile::link(folder.path(), folder.filePath("link")));
    QVERIFY(!isPrivateFolder(folder.filePath("link").toStdString()));
  }

  void thePathIsThatOfUserAndDisplay() {
    const QTemporaryDir folder;
    qputenv("XDG_RUNTIME_DIR", folder.path().toLocal8Bit());
    qputenv("QT_QPA_PLATFORM", "");
    qputenv("WAYLAND_DISPLAY", "");
    qputenv("DISPLAY", "../:1.0");
    QCOMPARE(windowSocketPath(), folder.filePath("vqscope/window-10").toStdString());
    qputenv("WAYLAND_DISPLAY", "wayland-0");
    QCOMPARE(windowSocketPath(), folder.filePath("vqscope/window-wayland-0").toStdString());
    qputenv("XDG_RUNTIME_DIR", (folder.path() + "/missing").toLocal8Bit());
    QCOMPARE(windowSocketPath(), std::string());
    qunsetenv("XDG_RUNTIME_DIR");
    QCOMPARE(windowSocketPath(), std::string());
  }
};

VQSCOPE_TEST(OpenRequestTest)
#include "open_request_test.moc"
