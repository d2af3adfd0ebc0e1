// SPDX-License-Identifier: GPL-3.0-or-later
// What is restored of the window.
#include "core/session/session_json.h"
#include "tests/app/window/whole/whole_window.h"
#include "tests/support/test_main.h"
#include "widgets/mask/row/row_debugger.h"
#include "widgets/parts/text.h"

#include <QFile>
#include <QScreen>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class WindowLayoutsTest : public WholeWindowCase {
  Q_OBJECT

 private slots:
  void layoutsAreRestored() {
    const WindowLayout layout{QRect(-5, 20, 800, 600), true, {{"parameters", {false, 321}}}, "checks", "dark",
                              {{"positions", 300}},    true};
    QVERIFY(writeLayout(layout, m_folder->filePath("deep/er/layout.json")));
    const auto read = readLayout(m_folder->filePath("deep/er/layout.json"));
    QVERIFY(read && *read == layout);
    const auto missing = readLayout(m_folder->filePath("none.json"));
    QVERIFY(!missing && missing.error().code == Errc::not_found);
  }

  void docksAreRestored() {
    WindowLayout layout;
    {
      WholeWindow s;
      layout = s.window.layoutState();
      QVERIFY(layout.docks.at("parameters").visible && layout.docks.at("parameters").size > 200);
      layout.docks["parameters"].size += 40;
      layout.docks["inspector"].visible = false;
      QVERIFY(writeLayout(layout, savedLayoutPath()));
    }
    WholeWindow s(true);
    const auto again = s.window.layoutState();
    QCOMPARE(again.docks.at("parameters").size, layout.docks.at("parameters").size);
    QVERIFY(!again.docks.at("inspector").visible);
  }

  /// The names of parameters are shown in the next window too.
  void namesOfParametersAreRestored() {
    {
      WholeWindow s;
      QVERIFY(!s.window.layoutState().names);
      s.trigger("Parameter names");
      QVERIFY(s.window.layoutState().names);
    }
    WholeWindow s(true);
    QVERIFY(s.window.layoutState().names);
    s.trigger("Parameter names");
    QVERIFY(!s.window.layoutState().names);
  }

  /// Whatever bytes a file has, the window stands within the screen.
  void damagedLayoutsKeepTheWindowOnScreen() {
    QByteArray whole;
    {
      WholeWindow s;
      QVERIFY(writeLayout(s.window.layoutState(), savedLayoutPath()));
      whole = readFrom(savedLayoutPath());
    }
    const qsizetype step = whole.size() / 20;
    for (qsizetype at = 0; at < whole.size(); at += step) {
      if (!isTried(at / step)) continue;
      QByteArray changed = whole;
      changed[at] = changed[at] == '1' ? '9' : static_cast<char>(changed[at] ^ 0x01);
      writeTo(savedLayoutPath(), changed);
      WholeWindow s(true);
      QVERIFY2(s.window.isVisible() && s.window.width() < 3000, changed.constData());
    }
  }

  void damagedLayouts_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("binary") << QByteArray("\x00\xff\x80\x01\x7f", 5);
    QTest::newRow("not JSON") << QByteArray("{\"geometry\": ");
    QTest::newRow("array") << QByteArray("[1, 2]");
    QTest::newRow("no numbers") << QByteArray("{\"layout\": 2, \"theme\": \"\"}");
    QTest::newRow("wrong types") << QByteArray(
        "{\"layout\": 2, \"theme\": \"\", \"window\": 5, \"docks\": [], \"raised\": 7}");
    QTest::newRow("huge dock") << QByteArray(
        "{\"layout\": 2, \"theme\": \"\", \"window\": {\"x\": 0, \"y\": 0, \"width\": 800, \"height\": 600, "
        "\"maximized\": false},"
        "\"docks\": {\"parameters\": {\"visible\": true, \"size\": 2000000000}}, \"raised\": \"\"}");
    QTest::newRow("too large") << QByteArray(2 << 20, ' ');
    QTest::newRow("deep") << QByteArray(100'000, '[');
  }

  void damagedLayouts() {
    QFETCH(QByteArray, content);
    writeTo(savedLayoutPath(), content);
    const auto read = readLayout(savedLayoutPath());
    QVERIFY(!read);
    QVERIFY2(read.error().message.find("is damaged and was ignored") != std::string::npos,
             read.error().message.c_str());
    WholeWindow s(true);
    QVERIFY2(s.shownMessage().contains("is damaged and was ignored"), qPrintable(s.shownMessage()));
    QVERIFY(s.window.isVisible() && s.window.width() > 600 && s.window.height() > 400);
  }

  void aCutLayout() {
    {
      WholeWindow s;
      QVERIFY(writeLayout(s.window.layoutState(), savedLayoutPath()));
    }
    const QByteArray whole = readFrom(savedLayoutPath());
    for (const qsizetype size : {whole.size() - 3, whole.size() / 2, qsizetype{1}}) {
      writeTo(savedLayoutPath(), whole.left(size));
      QVERIFY(!readLayout(savedLayoutPath()));
    }
  }

  /// It held what Qt makes of a window, which Qt takes back unchecked.
  void aLayoutOfAnOlderVersion() {
    writeTo(savedLayoutPath(),
            "{\"checksum\": \"00\", \"docks\": \"/////w==\", \"geometry\": \"\", \"theme\": \"dark\"}");
    WholeWindow s(true);
    QVERIFY2(s.shownMessage().contains("layout is from an older version"), qPrintable(s.shownMessage()));
    QVERIFY(s.window.isVisible() && currentTheme() == Theme::dark);
  }

  void everythingDamaged() {
    writeTo(savedLayoutPath(), "junk");
    writeTo(savedSessionPath(), "{\"vqscope\": 1, ");
    WholeWindow s(true);
    QVERIFY2(s.shownMessage().contains("is damaged and was ignored"), qPrintable(s.shownMessage()));
    QVERIFY2(s.shownMessage().contains("The last session could not be read: "), qPrintable(s.shownMessage()));
    QVERIFY(s.window.isVisible());
    Session untouched = default_session();
    untouched.current = "buckets";  // as before
    QCOMPARE(s.bench().session(), untouched);
    QCOMPARE(readFrom(savedSessionPath() + ".damaged"), QByteArray("{\"vqscope\": 1, "));
  }

  void closingKeepsTheSessionAndTheLayout() {
    Session last;
    {
      WholeWindow s;
      s.setLength(345);
      s.bench().showPage("masks");
      s.settle();
      s.window.resize(1111, 777);
      s.trigger("Dark");
      last = s.bench().session();
      QVERIFY(s.window.close());
    }
    QVERIFY(QFile::exists(savedSessionPath()));
    QCOMPARE(read_session(bytesOf(savedSessionPath()))->session, last);
    applyTheme(*qApp, Theme::light);
    WholeWindow s(true);
    QCOMPARE(s.bench().session(), last);
    // The title bar stays on the screen.
    QCOMPARE(s.window.size(), QSize(1111, 777).boundedTo(s.window.screen()->availableSize() - QSize(0, 40)));
    QVERIFY(currentTheme() == Theme::dark);
    QVERIFY2(!s.bench().undoStack().canUndo(), "what was done before the start can be undone");
  }

  void rowDebuggerVisibilityIsRestored() {
    for (const bool wanted : {false, true}) {
      {
        WholeWindow s(true);
        if (s.action("Row debugger")->isChecked() != wanted) s.trigger("Row debugger");
        QVERIFY(s.window.close());
      }
      WholeWindow s(true);
      QCOMPARE(s.action("Row debugger")->isChecked(), wanted);
      QVERIFY(!s.window.rowDebugger()->isVisible());
      s.bench().showPage("masks");
      QCOMPARE(s.window.rowDebugger()->isVisible(), wanted);
      s.settle();
    }
  }
};

VQSCOPE_TEST(WindowLayoutsTest)
#include "window_layouts_test.moc"
