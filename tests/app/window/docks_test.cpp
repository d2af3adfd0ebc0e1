// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"

#include "tests/support/test_main.h"

#include <QDockWidget>
#include <QTabBar>
#include <QTest>

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
  void aTabMayGoWhileItIsDragged_data() {
    QTest::addColumn<int>("tab");
    QTest::addColumn<QString>("page");
    for (int tab : {0, 1})
      for (const char* page : {"survey", "buckets", "curves"})
        QTest::addRow("%d %s", tab, page) << tab << QString::fromLatin1(page);
  }
  void aTabMayGoWhileItIsDragged() {
    QFETCH(int, tab);
    QFETCH(QString, page);
    QTRY_VERIFY(tabsOfDocks(*m_window));
    QPointer<QTabBar> tabs = tabsOfDocks(*m_window);
    QPoint place = tabs->tabRect(tab).center();
    QTest::mousePress(tabs, Qt::LeftButton, {}, place);
    for (int i = 0; i < 5; ++i) move(tabs, place += QPoint(tab == 0 ? 12 : -12, 2));
    m_window->workbench().showWorkspace(page.toStdString());
    for (int i = 0; i < 5; ++i) move(tabs, place += QPoint(tab == 0 ? 12 : -12, 2));
    m_window->workbench().showWorkspace("masks");
    for (int i = 0; i < 5; ++i) move(tabs, place += QPoint(tab == 0 ? 12 : -12, 2));
    if (tabs) QTest::mouseRelease(tabs, Qt::LeftButton, {}, place);
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->isBusy(), 120000);
    m_window->workbench().showWorkspace("masks");
    QTRY_VERIFY(tabsOfDocks(*m_window));
  }

  void tabsBesideAPageWithoutMasks() {
    m_window->workbench().showWorkspace("survey");
    m_window->findChild<QDockWidget*>("checks")->toggleViewAction()->trigger();
    QTRY_VERIFY(tabsOfDocks(*m_window));
    QPointer<QTabBar> tabs = tabsOfDocks(*m_window);
    QPoint place = tabs->tabRect(0).center();
    QTest::mousePress(tabs, Qt::LeftButton, {}, place);
    for (int i = 0; i < 10; ++i) move(tabs, place += QPoint(12, 8));
    if (tabs) QTest::mouseRelease(tabs, Qt::LeftButton, {}, place);
    QTest::mouseDClick(m_window->findChild<QDockWidget*>("checks"), Qt::LeftButton, {}, {20, 2});
  }

 private:
  void beforeEach() override {
    m_window = std::make_unique<MainWindow>();
    m_window->show();
    m_window->workbench().showWorkspace("masks");
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
