// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"
#include "tests/support/test_main.h"
#include "widgets/theme/palette.h"

#include <QAccessible>
#include <QMenuBar>
#include <QTabBar>
#include <QTest>
#include <QToolBar>

using namespace vqscope;

namespace {

QString pathOf(const QWidget* widget) {
  QString path;
  for (; widget; widget = widget->parentWidget())
    path.prepend(QStringLiteral("/%1 %2").arg(QLatin1String(widget->metaObject()->className()), widget->objectName()));
  return path;
}

bool isTabStop(const QWidget& widget) {
  const bool reached = widget.focusPolicy() & Qt::TabFocus;
  return reached && widget.isVisible() && widget.isEnabled() && !widget.focusProxy() && !widget.size().isEmpty();
}

/// The text of a screen reader.
QString nameOf(QWidget& widget) {
  auto* read = QAccessible::queryAccessibleInterface(&widget);
  return read ? read->text(QAccessible::Name) : QString();
}

}  // namespace

/// Every widget that Tab reaches has a name for screen readers, and shows that it has the focus.
class FocusWalkTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() { applyTheme(*qApp, Theme::light); }

  void everyFocusableWidgetHasANameAndIsVisible_data() {
    QTest::addColumn<QString>("page");
    for (const auto& info : page_infos()) QTest::newRow(info.id.c_str()) << QString::fromStdString(info.id);
  }
  void everyFocusableWidgetHasANameAndIsVisible() {
    QFETCH(QString, page);
    MainWindow window;
    window.resize(1440, 900);
    window.show();
    window.workbench().showPage(page.toStdString());
    QApplication::setActiveWindow(&window);
    QTRY_VERIFY_WITH_TIMEOUT(!window.isBusy(), 120000);
    QStringList nameless, unseen;
    int stops = 0;
    for (QWidget* widget : window.findChildren<QWidget*>()) {
      if (!isTabStop(*widget)) continue;
      ++stops;
      QVERIFY2(!qobject_cast<QTabBar*>(widget) || !widget->visibleRegion().isEmpty(), "tabs outside the window");
      if (nameOf(*widget).isEmpty()) nameless << pathOf(widget);
      if (!showsFocus(*widget)) unseen << pathOf(widget);
    }
    QVERIFY(stops > 3);
    QVERIFY2(nameless.isEmpty(), qPrintable("without a name:\n" + nameless.join('\n')));
    QVERIFY2(unseen.isEmpty(), qPrintable("without visible focus:\n" + unseen.join('\n')));
  }

 private:
  static bool showsFocus(QWidget& widget) {
    if (auto* focus = QApplication::focusWidget()) focus->clearFocus();
    const QImage without = widget.grab().toImage();
    widget.setFocus(Qt::TabFocusReason);
    if (!widget.hasFocus()) return true;  // it passes the focus on
    return widget.grab().toImage() != without;
  }
};

VQSCOPE_TEST(FocusWalkTest)
#include "focus_walk_test.moc"
