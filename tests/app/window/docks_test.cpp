// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"

#include "app/window/window_layout.h"
#include "tests/support/test_main.h"
#include "widgets/mask/row/row_debugger.h"
#include "widgets/parts/message_bar.h"

#include <QAction>
#include <QDockWidget>
#include <QFile>
#include <QScreen>
#include <QSplitter>
#include <QTabBar>
#include <QTest>

#include <algorithm>
#include <cstdlib>

using namespace vqscope;

namespace {

QTabBar* tabsOfDocks(MainWindow& window) {
  for (auto* bar : window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
    if (bar->isVisible()) return bar;
  return nullptr;
}

}  // namespace

/// The panels at the sides, as a person moves and closes them.
class DocksTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void tabCanDisappearWhileItIsDragged_data() {
    QTest::addColumn<int>("tab");
    QTest::addColumn<QString>("page");
    for (int tab : {0, 1})
      for (const char* page : {"survey", "buckets", "curves"})
        QTest::addRow("%d %s", tab, page) << tab << QString::fromLatin1(page);
  }
  void tabCanDisappearWhileItIsDragged() {
    QFETCH(int, tab);
    QFETCH(QString, page);
    QTRY_VERIFY(tabsOfDocks(*m_window));
    QPointer<QTabBar> tabs = tabsOfDocks(*m_window);
    QPoint place = tabs->tabRect(tab).center();
    QTest::mousePress(tabs, Qt::LeftButton, {}, place);
    for (int i = 0; i < 5; ++i) move(tabs, place += QPoint(tab == 0 ? 12 : -12, 2));
    m_window->workbench().showPage(page.toStdString());
    for (int i = 0; i < 5; ++i) move(tabs, place += QPoint(tab == 0 ? 12 : -12, 2));
    m_window->workbench().showPage("masks");
    for (int i = 0; i < 5; ++i) move(tabs, place += QPoint(tab == 0 ? 12 : -12, 2));
    if (tabs) QTest::mouseRelease(tabs, Qt::LeftButton, {}, place);
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->isBusy(), 120000);
    m_window->workbench().showPage("masks");
    QTRY_VERIFY(tabsOfDocks(*m_window));
  }

  void tabsBesideAPageWithoutMasks() {
    m_window->workbench().showPage("survey");
    m_window->findChild<QDockWidget*>("checks")->toggleViewAction()->trigger();
    QTRY_VERIFY(tabsOfDocks(*m_window));
    QPointer<QTabBar> tabs = tabsOfDocks(*m_window);
    QPoint place = tabs->tabRect(0).center();
    QTest::mousePress(tabs, Qt::LeftButton, {}, place);
    for (int i = 0; i < 10; ++i) move(tabs, place += QPoint(12, 8));
    if (tabs) QTest::mouseRelease(tabs, Qt::LeftButton, {}, place);
    QTest::mouseDClick(m_window->findChild<QDockWidget*>("checks"), Qt::LeftButton, {}, {20, 2});
  }

  /// Reach has layers in place of rows: its map takes the place of the row debugger.
  void reachHasNoRowsToDebug() {
    const auto* rows = m_window->findChild<QDockWidget*>("rowDebugger");
    QTRY_VERIFY(rows->isVisible());
    const auto turn = [this](const char* method) {
      ShownPage next = m_window->workbench().current();
      next.method = method;
      QVERIFY(m_window->workbench().edit("Show", next));
    };
    turn("mask_reach");
    QTRY_VERIFY(rows->isHidden());
    turn("mask_blocks");
    QTRY_VERIFY(rows->isVisible());
  }

  /// Checks and the mask's text, hidden on other pages, leave the parameters in front.
  void aNarrowWindowTurnsToParameters() {
    m_window->setMinimumSize(1, 1);
    m_window->resize(733, 600);
    const auto* parameters = m_window->findChild<QDockWidget*>("parameters");
    auto* checks = m_window->findChild<QDockWidget*>("checks");
    QTRY_VERIFY(!m_window->tabifiedDockWidgets(checks).isEmpty() && !parameters->visibleRegion().isEmpty());
    for (QAction* each : m_window->findChildren<QAction*>())
      if (each->text() == "Mask &text") each->trigger();
    auto* mask = m_window->findChild<QDockWidget*>("maskText");
    for (QDockWidget* front : {mask, checks}) {
      QTRY_VERIFY((front->raise(), parameters->visibleRegion().isEmpty()));
      m_window->workbench().showPage("rotary");
      QTRY_VERIFY2(!parameters->visibleRegion().isEmpty(), qPrintable(front->objectName()));
      m_window->workbench().showPage("masks");
      QTRY_VERIFY(!front->isHidden());
    }
  }

  /// At 150 % a small window has the width of 733 pixels: the page keeps more than half of it.
  void aNarrowWindowHasOneColumnOfPanels() {
    m_window->resize(1200, 700);
    auto* parameters = m_window->findChild<QDockWidget*>("parameters");
    QTRY_VERIFY(m_window->tabifiedDockWidgets(parameters).isEmpty());
    m_window->findChild<QDockWidget*>("checks")->raise();
    auto* rows = m_window->findChild<QDockWidget*>("rowDebugger");
    m_window->resizeDocks(
        {m_window->findChild<QDockWidget*>("parameters"), m_window->findChild<QDockWidget*>("checks")}, {340, 320},
        Qt::Horizontal);
    m_window->resizeDocks({rows}, {230}, Qt::Vertical);
    QTRY_COMPARE(parameters->width(), 340);
    const int below = rows->height();
    m_window->setMinimumSize(1, 1);  // as on a screen that is no wider
    m_window->resize(733, 600);
    QTRY_VERIFY(m_window->width() <= 740);
    const auto* inspector = m_window->findChild<QDockWidget*>("inspector");
    QTRY_VERIFY(m_window->tabifiedDockWidgets(m_window->findChild<QDockWidget*>("parameters"))
                    .contains(m_window->findChild<QDockWidget*>("inspector")));
    QTRY_VERIFY(!inspector->isHidden() && !parameters->visibleRegion().isEmpty());
    QTRY_VERIFY(m_window->currentPage()->width() > 370);
    m_window->resize(1200, 700);
    QTRY_VERIFY(m_window->tabifiedDockWidgets(m_window->findChild<QDockWidget*>("parameters")).isEmpty());
    QTRY_VERIFY(inspector->mapTo(m_window.get(), QPoint()).x() > 800);
    QTRY_COMPARE(parameters->width(), 340);
    QTRY_COMPARE(inspector->width(), 320);
    QTRY_COMPARE(rows->height(), below);
    m_window->workbench().showPage("survey");
    m_window->resize(733, 600);
    m_window->workbench().showPage("masks");
    QTRY_VERIFY(!parameters->visibleRegion().isEmpty());
  }

  /// A lower window squeezes the row debugger, and a high one gives its height back.
  void theRowDebuggerGrowsBack() {
    m_window->resize(1400, 900);
    auto* rows = m_window->findChild<QDockWidget*>("rowDebugger");
    QTRY_VERIFY(rows->isVisible());
    QCoreApplication::processEvents();
    m_window->resizeDocks({rows}, {330}, Qt::Vertical);
    QTRY_COMPARE(rows->height(), 330);
    m_window->resize(1400, 620);
    QTRY_VERIFY(rows->height() < 330);
    m_window->resize(1400, 900);
    QTRY_COMPARE(rows->height(), 330);
  }

  /// Also in a small window, and after it has been smaller than all its parts.
  void theRowDebuggerKeepsFourRows() {
    const KeyTable& table = m_window->rowDebugger()->table();
    for (const QSize size : {QSize(1100, 700), QSize(760, 640), QSize(1600, 1000)}) {
      m_window->resize(size);
      QTRY_COMPARE(m_window->size(), size);
      QTRY_VERIFY2(table.page() >= 4, qPrintable(QString::number(size.width())));
    }
  }

  /// 1280 x 800 at 150 %: the table of keys folds away below its controls, which share a line.
  void aLowWindowLeavesTheMapItsPlace() {
    RowDebugger* rows = m_window->rowDebugger();
    const QSize low(853, 533);
    QTRY_VERIFY((m_window->resize(low), m_window->size() == low));
    QTRY_VERIFY2(rows->height() < 60, qPrintable(QString::number(rows->height())));
    QTRY_VERIFY(m_window->currentPage()->height() > low.height() / 2);
    rows->foldAction()->trigger();
    QTRY_VERIFY(rows->table().page() >= 4 && rows->height() > 120);
    QVERIFY2(rows->height() < 190, qPrintable(QString::number(rows->height())));
    QTRY_VERIFY(m_window->currentPage()->height() > 200);
    rows->foldAction()->trigger();
    QTRY_VERIFY(rows->height() < 60);
    m_window->resize(1400, 900);
    QTRY_VERIFY2(rows->height() > 200 && rows->table().page() >= 4, qPrintable(QString::number(rows->height())));
    QVERIFY(!rows->foldAction()->isEnabled());
  }

  /// No page, and no change of pages, makes the window larger: a small screen at 150 %, and 1100 x
  /// 700 at 150 %.
  void pagesFitASmallScreen() {
    for (const QSize size : {QSize(1066, 620), QSize(733, 466)}) {
      // A narrow window puts its panels behind each other, and can then be narrower.
      QTRY_VERIFY((m_window->resize(size), m_window->size() == size));
      for (const auto& info : page_infos()) {
        m_window->workbench().showPage(info.id);
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->isBusy(), 120000);
        QCoreApplication::processEvents();
        QVERIFY2(m_window->minimumSizeHint().height() <= size.height(),
                 (info.id + " " + std::to_string(m_window->minimumSizeHint().height())).c_str());
        QCOMPARE(m_window->size(), size);
      }
    }
  }

  /// Each room keeps the heights that the user gave its list and parameters, also in the next window.
  void listAndParametersShareTheColumn() {
    m_window->resize(1200, 800);
    const auto show = [](MainWindow& window, const char* page) {
      window.workbench().showPage(page);
      QCoreApplication::processEvents();
      return window.findChild<QSplitter*>("side")->sizes();
    };
    auto* side = m_window->findChild<QSplitter*>("side");
    const bool lab = find_page_info("vq");
    const auto first = show(*m_window, "biases");
    QVERIFY2(first[0] > 150 && first[1] > 200, qPrintable(QString("%1 %2").arg(first[0]).arg(first[1])));
    if (lab) QVERIFY(show(*m_window, "vq")[0] > 150 && show(*m_window, "vq")[1] > 200);
    QCOMPARE(show(*m_window, "rotary"), first);
    side->setSizes({200, side->height() - 200});
    emit side->splitterMoved(200, 1);
    const auto moved = side->sizes();
    QVERIFY(moved != first);
    QCOMPARE(show(*m_window, "masks")[0], 0);
    if (lab) QVERIFY(show(*m_window, "vq")[0] > 210);
    QVERIFY(std::abs(show(*m_window, "biases")[0] - moved[0]) <= 2);

    QVERIFY(writeLayout(m_window->layoutState(), savedLayoutPath()));
    MainWindow next;
    next.restoreSaved();
    next.show();
    next.resize(1200, 800);
    const auto share = [](const QList<int>& sizes) { return 1000 * sizes[0] / std::max(1, sizes[0] + sizes[1]); };
    QTRY_VERIFY2(std::abs(share(show(next, "biases")) - share(moved)) <= 5,
                 qPrintable(QString("%1 %2").arg(share(show(next, "biases"))).arg(share(moved))));
    QFile::remove(savedLayoutPath());
  }

  /// A window saved without a desktop may be at the very top.
  void aWindowHasSpaceForItsTitleBar() {
    const QRect screen(0, 0, 1600, 1000);
    QCOMPARE(placeOnScreen({0, 0, 800, 600}, screen), QRect(0, 40, 800, 600));
    QCOMPARE(placeOnScreen({300, 200, 800, 600}, screen), QRect(300, 200, 800, 600));
    QCOMPARE(placeOnScreen({-500, 900, 800, 600}, screen), QRect(0, 400, 800, 600));
    QCOMPARE(placeOnScreen({0, 0, 3000, 2000}, screen), QRect(0, 40, 1600, 960));
    QCOMPARE(placeOnScreen({100, -80, 800, 600}, QRect(1600, 24, 1280, 1000)), QRect(1600, 64, 800, 600));
  }

  /// The layout is plain numbers: another scale changes the size of the screen, without a message.
  void anotherScaleKeepsTheLayout() {
    for (const QRect place : {QRect(0, 0, 3000, 2000), QRect(-200, -100, 733, 466), QRect(2500, 1400, 1100, 700)}) {
      WindowLayout layout = m_window->layoutState();
      layout.place = place;
      layout.docks["parameters"].size = 450;
      layout.docks["inspector"].size = 400;
      QVERIFY(writeLayout(layout, savedLayoutPath()));
      MainWindow other;
      other.restoreSaved();
      other.show();
      QString shownMessage;
      if (const auto* bar = other.findChild<MessageBar*>()) shownMessage = bar->sentence();
      QVERIFY2(!shownMessage.contains("layout"), qPrintable(shownMessage));
      QVERIFY(other.screen()->availableGeometry().contains(other.geometry().center()));
    }
    QFile::remove(savedLayoutPath());
  }

 private:
  void beforeEach() override {
    m_window = std::make_unique<MainWindow>();
    m_window->show();
    m_window->workbench().showPage("masks");
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->isBusy(), 120000);
  }
  void afterEach() override { m_window.reset(); }

  static void move(QWidget* widget, QPoint to) {
    if (!widget) return;
    QMouseEvent event(QEvent::MouseMove, to, widget->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
    QCoreApplication::sendEvent(widget, &event);
  }

  std::unique_ptr<MainWindow> m_window;
};

VQSCOPE_TEST(DocksTest)
#include "docks_test.moc"
