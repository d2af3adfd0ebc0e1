// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/work_notifier.h"

#include "tests/support/test_main.h"

#include <QStringList>
#include <QTest>
#include <QWidget>

using namespace vqscope;

class WorkNotifierTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// A window that is not shown is not the active one.
  void tells_of_long_work_that_nobody_saw() {
    QWidget window;
    QStringList desktop, inside;
    const WorkNotifier notifier(
        window, [&](const QString& title, const QString& words) { desktop << title + ": " + words; },
        [&](const QString& title, const QString&) { inside << title; });
    notifier.workEnded("Training", "the loss falls", 9.9, false);
    QVERIFY(desktop.isEmpty() && inside.isEmpty());
    notifier.workEnded("Training", "the loss falls", 10, true);
    QCOMPARE(desktop, QStringList{"Training: the loss falls"});
    QVERIFY(inside.isEmpty());
    notifier.workEnded("Sweep", "40 points", 60, false);
    QCOMPARE(inside, QStringList{"Sweep"});
    QCOMPARE(desktop.size(), 2);
  }

  void an_active_window_is_left_alone() {
    QWidget window;
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    int told = 0;
    const WorkNotifier notifier(
        window, [&](const QString&, const QString&) { ++told; }, [&](const QString&, const QString&) { ++told; });
    notifier.workEnded("Training", "the loss falls", 60, true);
    QCOMPARE(told, 0);
  }
};

VQSCOPE_TEST(WorkNotifierTest)
#include "work_notifier_test.moc"
