// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/start/application.h"

#include "tests/app/child.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <new>
#include <stdexcept>

using namespace vqscope;
using namespace vqscope::test;

namespace {

WindowApplication& windowApplication() { return *static_cast<WindowApplication*>(QCoreApplication::instance()); }

/// Throws what it is given as soon as an event reaches it.
class Thrower : public QObject {
 public:
  explicit Thrower(std::function<void()> act) : m_act(std::move(act)) {}
  bool event(QEvent*) override { return m_act(), true; }

 private:
  std::function<void()> m_act;
};

/// Sends an event to an object that throws.
bool send(std::function<void()> act) {
  Thrower thrower(std::move(act));
  QEvent event(QEvent::User);
  return QCoreApplication::sendEvent(&thrower, &event);
}

}  // namespace

class WindowApplicationTest : public TestCase {
  Q_OBJECT

  void afterEach() override { windowApplication().onError({}); }

 private slots:
  void exception_is_reported_and_ends_the_event() {
    std::vector<std::string> reported;
    windowApplication().onError([&](const std::string& sentence) { reported.push_back(sentence); });
    QVERIFY(send([] { throw std::runtime_error("the disk is gone"); }));
    QVERIFY(send([] { throw std::bad_alloc(); }));
    QCOMPARE(reported,
             (std::vector<std::string>{"the disk is gone",
                                       "there is not enough memory for this; use fewer tokens or smaller sizes"}));
    QVERIFY(send([] {}));
    QCOMPARE(reported.size(), std::size_t{2});
  }

  /// Telling may need memory too, of which there is none.
  void unreportable_error_goes_to_stderr() {
    const Ended ended = inAChild([] {
      windowApplication().onError([](const std::string&) { throw std::bad_alloc(); });
      return send([] { throw std::runtime_error("the disk is gone"); }) ? 7 : 1;
    });
    QCOMPARE(ended.status, 7);
    COMPARE_TEXT(ended.err, "vqscope: the disk is gone\n");
  }

  void error_without_a_window_is_silent() {
    const Ended ended = inAChild([] { return send([] { throw std::runtime_error("the disk is gone"); }) ? 7 : 1; });
    QCOMPARE(ended.status, 7);
    COMPARE_TEXT(ended.err, "");
  }

  /// Only errors of Qt's messages reach the stderr of a command.
  void stderr_has_only_errors_of_qt() {
    const Ended ended = inAChild([] {
      keepErrorsAlone();
      qDebug("a word");
      qWarning("a remark");
      qCritical("an error");
      return 0;
    });
    COMPARE_TEXT(ended.err, "an error\n");
  }

  void display_is_found_by_three_variables() {
    const std::array names{"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"};
    const auto with = [&](const char* given) {
      return inAChild([&] {
               for (const char* name : names) qunsetenv(name);
               if (given) qputenv(given, ":0");
               return hasDisplay() ? 7 : 1;
             })
          .status;
    };
    QCOMPARE(with(nullptr), 1);
    for (const char* name : names) QCOMPARE(with(name), 7);
    QCOMPARE(inAChild([&] {
               for (const char* name : names) qputenv(name, "");
               return hasDisplay() ? 7 : 1;
             }).status,
             1);
  }
};

VQSCOPE_TEST(WindowApplicationTest)
#include "window_application_test.moc"
