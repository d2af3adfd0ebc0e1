// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/focus_areas.h"

#include "tests/support/test_main.h"

#include <QApplication>
#include <QDockWidget>
#include <QLineEdit>
#include <QMainWindow>
#include <QTest>
#include <QToolBar>
#include <QVBoxLayout>

using namespace vqscope;

namespace {

/// A window with two fields in each area; those of the page differ in size.
struct AreaWindow {
  QMainWindow window;
  AreaFocus* focus = new AreaFocus(&window);

  AreaWindow() {
    auto* bar = window.addToolBar("bar");
    bar->addWidget(new QLineEdit("bar", bar));
    addDock("below", Qt::BottomDockWidgetArea);
    addDock("right", Qt::RightDockWidgetArea);
    addDock("left", Qt::LeftDockWidgetArea);
    addDock("hidden", Qt::LeftDockWidgetArea)->hide();
    window.setCentralWidget(area("page", &window));
    window.centralWidget()->findChildren<QLineEdit*>()[1]->setFixedHeight(200);
    window.resize(900, 700);
    window.show();
    window.activateWindow();
    [[maybe_unused]] const bool active = QTest::qWaitForWindowActive(&window);
    if (auto* first = QApplication::focusWidget()) first->clearFocus();
  }
  static QWidget* area(const QString& name, QWidget* parent) {
    auto* widget = new QWidget(parent);
    auto* column = new QVBoxLayout(widget);
    for (const char* each : {" 1", " 2"}) column->addWidget(new QLineEdit(name + each, widget));
    return widget;
  }
  QDockWidget* addDock(const QString& name, Qt::DockWidgetArea place) {
    auto* dock = new QDockWidget(name, &window);
    dock->setFeatures(QDockWidget::NoDockWidgetFeatures);
    dock->setWidget(area(name, dock));
    window.addDockWidget(place, dock);
    return dock;
  }
  QString step(int by) const {
    focus->step(by);
    const auto* field = qobject_cast<QLineEdit*>(QApplication::focusWidget());
    return field ? field->text() : "none";
  }
};

}  // namespace

class FocusAreasTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void roundAndBack() {
    const AreaWindow s;
    QStringList there, back;
    for (int i = 0; i < 6; ++i) there << s.step(1);
    QCOMPARE(there, QStringList({"bar", "left 1", "page 2", "right 1", "below 1", "bar"}));
    for (int i = 0; i < 5; ++i) back << s.step(-1);
    QCOMPARE(back, QStringList({"below 1", "right 1", "page 2", "left 1", "bar"}));
  }

  void anAreaRemembersItsField() {
    const AreaWindow s;
    for (auto* field : s.window.findChildren<QLineEdit*>())
      if (field->text() == "left 2") field->setFocus();
    QCOMPARE(s.step(1), QString("page 2"));
    QCOMPARE(s.step(-1), QString("left 2"));
    QWidget* left = QApplication::focusWidget();
    QCOMPARE(s.step(1), QString("page 2"));
    left->setEnabled(false);
    QCOMPARE(s.step(-1), QString("left 1"));
  }

  void withoutFocusBackIsTheLast() {
    const AreaWindow s;
    QCOMPARE(s.step(-1), QString("below 1"));
  }
};

VQSCOPE_TEST(FocusAreasTest)
#include "focus_areas_test.moc"
