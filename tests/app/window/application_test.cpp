// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/start/application.h"

#include "app/window/main_window.h"
#include "app/window/window_layout.h"
#include "core/session/session_json.h"
#include "tests/support/environment.h"
#include "tests/support/test_main.h"
#include "widgets/parts/message_bar.h"
#include "widgets/parts/text.h"

#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

#include <new>
#include <stdexcept>

using namespace vqscope;
using namespace vqscope::test;

namespace {

WindowApplication& application() { return *static_cast<WindowApplication*>(QCoreApplication::instance()); }

/// As the program's main does.
struct ShownApplication {
  MainWindow window;

  ShownApplication() {
    application().onError([this](const std::string& sentence) { window.showMessage(text(sentence), true); });
    window.restoreSaved();
    window.show();
    QTRY_VERIFY_WITH_TIMEOUT(!window.isBusy(), 120000);
  }
  ~ShownApplication() { application().onError({}); }

  QString shownMessage() { return window.findChild<MessageBar*>()->sentence(); }
  void setLength(Index length) {
    ShownPage next = window.workbench().page("buckets");
    next.values.set("q_length", length);
    QVERIFY(window.workbench().edit("Change q_length", next));
  }
};

/// In an event of its own.
template <class Act>
void inAnEvent(Act act) {
  QObject receiver;
  bool done = false;
  QMetaObject::invokeMethod(
      &receiver,
      [&] {
        done = true;
        act();
      },
      Qt::QueuedConnection);
  QTRY_VERIFY(done);
}

}  // namespace

/// An exception that reaches the event loop ends neither the program nor the session.
class ApplicationTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(dynamic_cast<WindowApplication*>(QCoreApplication::instance()));
    QApplication::setQuitOnLastWindowClosed(false);
    keepStateIn(m_folder);
  }

  void exceptionShowsAMessageAndKeepsTheSession() {
    ShownApplication s;
    s.setLength(77);
    const Session before = s.window.workbench().session();
    inAnEvent([] { throw std::bad_alloc(); });
    QCOMPARE(s.shownMessage(), QString("there is not enough memory for this; use fewer tokens or smaller sizes"));
    inAnEvent([] { throw std::runtime_error("a library gave up"); });
    QCOMPARE(s.shownMessage(), QString("a library gave up"));
    QCOMPARE(s.window.workbench().session(), before);
    // Work goes on, and is written down.
    s.setLength(78);
    QTRY_VERIFY(!s.window.isBusy() && s.window.keeper().isKept());
    s.window.workbench().undoStack().undo();
    QCOMPARE(s.window.workbench().session(), before);
    QVERIFY(s.window.close());
    const auto kept = read_session(bytesOf(savedSessionPath()));
    QVERIFY2(kept, kept ? "" : kept.error().message.c_str());
    QCOMPARE(kept->session, before);
  }

  /// The widget that it came through takes the next event.
  void aSlotThatThrowsIsCalledAgain() {
    const ShownApplication s;
    QPushButton button("Throw");
    int calls = 0;
    connect(&button, &QPushButton::clicked, &button, [&] {
      ++calls;
      throw std::runtime_error("a slot gave up");
    });
    button.show();
    for (int i = 1; i <= 2; ++i) {
      QTest::mouseClick(&button, Qt::LeftButton);
      QTRY_COMPARE(calls, i);
    }
    QTest::keyClick(&button, Qt::Key_Space);
    QTRY_COMPARE(calls, 3);
  }

  /// There may be no memory for the message either.
  void errorHandlerMayThrowToo() {
    bool reported = false;
    application().onError([&](const std::string&) {
      reported = true;
      throw std::bad_alloc();
    });
    inAnEvent([] { throw std::runtime_error("a library gave up"); });
    QVERIFY(reported);
    application().onError({});
    inAnEvent([] { throw std::runtime_error("nobody hears of this"); });
  }

 private:
  QTemporaryDir m_folder;
};

VQSCOPE_TEST(ApplicationTest)
#include "application_test.moc"
