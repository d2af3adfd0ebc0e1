// SPDX-License-Identifier: GPL-3.0-or-later
// Labels that are cut, buttons of several lines, tables that are copied, the key of the menu, words of a shell.
#include "tests/support/test_main.h"
#include "widgets/parts/eliding_label.h"
#include "widgets/parts/keyboard_focus.h"
#include "widgets/parts/menu/table_copies.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"
#include "widgets/parts/wrapping_button.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QTableWidget>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>

using namespace vqscope;

namespace {

/// Counts the requested menus.
class MenuCounter : public QLineEdit {
 public:
  int menus = 0;

 protected:
  void contextMenuEvent(QContextMenuEvent* event) override { menus += event->reason() == QContextMenuEvent::Keyboard; }
};

}  // namespace

class SmallPartsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// The mouse has left the button for the menu, without an event.
  void aButtonIsNotPressedAfterItsMenu() {
    QToolButton button;
    QMenu menu;
    setPopup(&button, &menu);
    QCursor::setPos(0, 0);
    button.move(300, 300);
    button.show();
    button.setAttribute(Qt::WA_UnderMouse);
    emit menu.aboutToHide();
    QVERIFY(!button.underMouse());
  }

  void aLabelIsCutWhereItEnds() {
    ElidingLabel label;
    label.setText("q 1 048 576   k 1 048 000   visible 0");
    label.resize(label.sizeHint());
    QVERIFY(!label.isCut());
    QVERIFY2(label.minimumSizeHint().width() < 30, "it never widens a layout");
    label.resize(60, 20);
    QVERIFY(label.isCut());
    QCOMPARE(label.text(), QString("q 1 048 576   k 1 048 000   visible 0"));
  }

  void aButtonGoesOnInFurtherLines() {
    const WrappingButton button("Set document_lengths = 128, 128, 256 and window = 129");
    const int whole = button.sizeHint().width();
    QCOMPARE(button.shownText(whole), button.text());
    QCOMPARE(button.shownText(whole * 2 / 3).simplified(), button.text());
    QCOMPARE(button.shownText(whole * 2 / 3).count('\n'), 1);
    QVERIFY(button.heightForWidth(whole * 2 / 3) > button.heightForWidth(whole));
    QVERIFY(button.shownText(whole / 5).endsWith("…"));
    QWidget narrow;
    auto* column = new QVBoxLayout(&narrow);
    auto* shown = new WrappingButton(button.text(), &narrow);
    column->addWidget(shown, 0, Qt::AlignLeft);
    column->addStretch(1);
    narrow.resize(whole * 2 / 3, 300);
    narrow.show();
    QCOMPARE(shown->height(), shown->heightForWidth(shown->width()));
    QVERIFY(shown->height() > button.sizeHint().height());
  }

  void tablesAreCopied() {
    QTableWidget* table = plainTable({"key", "value"}, nullptr);
    const std::unique_ptr<QTableWidget> owned(table);
    table->setRowCount(2);
    const char* const words[] = {"theta", "10000", "factor", "two\nlines"};
    for (int i = 0; i < 4; ++i) table->setItem(i / 2, i % 2, tableItem(words[i]));
    table->setCurrentCell(1, 0);
    QStringList copied;
    for (auto* action : table->actions()) {
      action->trigger();
      copied << QApplication::clipboard()->text();
    }
    QCOMPARE(copied.mid(0, 3),
             (QStringList{"factor", "factor\ttwo lines", "key\tvalue\ntheta\t10000\nfactor\ttwo lines"}));
    QCOMPARE(copied.mid(3),
             (QStringList{"| key | value |\n| --- | --- |\n| theta | 10000 |\n| factor | two lines |\n",
                          "\\begin{tabular}{ll}\n\\toprule\nkey & value \\\\\n\\midrule\ntheta & 10000 \\\\\n"
                          "factor & two lines \\\\\n\\bottomrule\n\\end{tabular}\n",
                          "key,value\ntheta,10000\nfactor,\"two\nlines\"\n"}));
  }

  /// What is filtered out, or hidden for lack of room, is not copied.
  void hiddenCellsAreNotCopied() {
    const std::unique_ptr<QTableWidget> table(plainTable({"a", "b"}, nullptr));
    table->setRowCount(2);
    for (int i = 0; i < 4; ++i) table->setItem(i / 2, i % 2, tableItem(QString::number(i)));
    table->setRowHidden(0, true);
    table->setColumnHidden(0, true);
    const TextTable shown = shownTable(*table, Qt::DisplayRole);
    QCOMPARE(shown.titles, (std::vector<std::string>{"b"}));
    QCOMPARE(shown.rows, (std::vector<std::vector<std::string>>{{"3"}}));
    table->setVerticalHeaderLabels({"first", "second"});
    table->verticalHeader()->show();
    QCOMPARE(shownTable(*table, Qt::DisplayRole).rows, (std::vector<std::vector<std::string>>{{"second", "3"}}));
  }

  void shiftF10IsTheMenuKey() {
    QObject scope;
    new MenuKey(&scope);
    MenuCounter field;
    field.show();
    field.activateWindow();
    field.setFocus();
    QTRY_COMPARE(QApplication::focusWidget(), &field);
    QTest::keyClick(&field, Qt::Key_F10, Qt::ShiftModifier);
    QCOMPARE(field.menus, 1);
    QTest::keyClick(&field, Qt::Key_F10);
    QCOMPARE(field.menus, 1);
  }

  /// The field that was made last stands first.
  void tabFollowsReadingOrder() {
    QWidget window;
    auto* before = new QLineEdit(&window);
    auto* content = new QWidget(&window);
    QWidget& panel = *content;
    auto* column = new QVBoxLayout(&panel);
    QList<QLineEdit*> fields;
    for (int i = 0; i < 4; ++i) {
      auto* field = new QLineEdit;
      fields.prepend(field);
      auto* line = new QHBoxLayout;
      line->addWidget(field);
      column->insertLayout(0, line);
    }
    auto* after = new QLineEdit(&window);
    new TabOrder(panel);
    window.show();
    QVERIFY(before->isVisible() && after->isVisible());
    for (int i = 0; i + 1 < 4; ++i) QTRY_COMPARE(fields[i]->nextInFocusChain(), fields[i + 1]);
    auto* first = new QLineEdit;
    column->insertWidget(0, first);
    QTRY_COMPARE(first->nextInFocusChain(), fields[0]);
  }
};

VQSCOPE_TEST(SmallPartsTest)
#include "small_parts_test.moc"
