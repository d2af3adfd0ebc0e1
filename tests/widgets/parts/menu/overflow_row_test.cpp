// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/menu/overflow_row.h"

#include "tests/support/test_main.h"

#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

using namespace vqscope;

namespace {

/// A label of 60 pixels and four buttons of 50; "text" leaves first.
struct Row {
  OverflowRow row;
  QList<QPushButton*> buttons;
  QStringList clicked;

  Row() {
    auto* label = new QLabel;
    label->setFixedWidth(60);
    row.row()->setSpacing(4);
    row.addFixed(label, 1);
    for (const char* name : {"undo", "redo", "text", "export"}) {
      auto* button = new QPushButton(name);
      button->setFixedSize(50, 20);
      QObject::connect(button, &QPushButton::clicked, &row, [this, name] { clicked << name; });
      row.addButton(button, buttons.size() == 2 ? OverflowRow::Leaves::first : OverflowRow::Leaves::last);
      buttons << button;
    }
    row.show();
  }
  QStringList shown() const {
    QStringList names;
    for (const auto* button : buttons)
      if (!button->isHidden()) names << button->text();
    return names;
  }
  QStringList inMenu() {
    QMenu menu;
    row.fillMenu(menu, false);
    QStringList names;
    for (const auto* action : menu.actions()) names << action->text();
    return names;
  }
  void resize(int width) {
    row.resize(width, 30);
    QCoreApplication::processEvents();
  }
};

}  // namespace

class OverflowRowTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void everythingIsShownWhereItFits() {
    Row r;
    r.resize(500);
    QCOMPARE(r.shown(), (QStringList{"undo", "redo", "text", "export"}));
    QVERIFY(r.row.moreButton()->isHidden());
  }

  /// At every width each button is either in the row, within its borders, or in the menu.
  void everyButtonIsInTheRowOrTheMenu() {
    Row r;
    for (int width = r.row.minimumSizeHint().width(); width < 400; width += 7) {
      r.resize(width);
      QStringList all = r.shown() + r.inMenu();
      all.sort();
      QCOMPARE(all, (QStringList{"export", "redo", "text", "undo"}));
      QCOMPARE(r.row.moreButton()->isHidden(), r.inMenu().isEmpty());
      for (const auto* button : r.buttons)
        QVERIFY2(button->isHidden() || button->geometry().right() < r.row.width(), qPrintable(QString::number(width)));
    }
  }

  void theLastLeaveFirst() {
    Row r;
    r.resize(275);
    QCOMPARE(r.inMenu(), QStringList{"text"});
    r.resize(225);
    QCOMPARE(r.inMenu(), (QStringList{"text", "export"}));
  }

  void menuActionsTriggerTheirButtons() {
    Row r;
    r.buttons[2]->setCheckable(true);
    r.buttons[3]->setEnabled(false);
    r.resize(215);
    QMenu menu;
    r.row.fillMenu(menu, false);
    QVERIFY(menu.actions().front()->isCheckable());
    QVERIFY(!menu.actions().back()->isEnabled());
    menu.actions().front()->trigger();
    QCOMPARE(r.clicked, QStringList{"text"});
    QVERIFY(r.buttons[2]->isChecked());
  }

  void menuHasTheOriginalActions() {
    Row r;
    QAction action("log x");
    r.row.addTool(&action);
    r.resize(150);
    QMenu menu;
    r.row.fillMenu(menu, true);
    QVERIFY(menu.actions().contains(&action));
  }

  void unavailableActionsAreHidden() {
    Row r;
    r.resize(200);
    r.row.setOffered(r.buttons[2], false);
    r.row.setOffered(r.buttons[3], false);
    QCoreApplication::processEvents();
    QCOMPARE(r.shown() + r.inMenu(), (QStringList{"undo", "redo"}));
    r.row.setOffered(r.buttons[3], true);
    r.resize(500);
    QCOMPARE(r.shown(), (QStringList{"undo", "redo", "export"}));
  }
};

VQSCOPE_TEST(OverflowRowTest)
#include "overflow_row_test.moc"
