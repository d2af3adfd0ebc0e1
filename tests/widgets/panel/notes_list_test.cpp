// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panel/notes_list.h"

#include "tests/support/test_main.h"

#include <QListWidget>
#include <QSignalSpy>
#include <QTest>

using namespace vqscope;

class NotesListTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void lists_goes_edits_and_removes() {
    NotesList list;
    list.setNotes({});
    QVERIFY(list.isHidden());
    list.setNotes({{"visibility", 3, 4, "why?\n<b>bold</b>"}, {"visibility", 8, 1, "here"}});
    QVERIFY(!list.isHidden());
    list.show();
    auto* items = list.findChild<QListWidget*>();
    QCOMPARE(items->count(), 2);
    QCOMPARE(items->item(0)->text(), QString("3, 4   why?"));
    QVERIFY(items->item(0)->toolTip().contains("&lt;b&gt;"));
    QSignalSpy chosen(&list, &NotesList::chosen), edited(&list, &NotesList::editRequested),
        removed(&list, &NotesList::removeRequested);
    emit items->itemClicked(items->item(1));
    QCOMPARE(chosen.back().front().value<Cell>(), (Cell{8, 1}));
    emit items->itemActivated(items->item(0));
    QCOMPARE(edited.back().front().value<Cell>(), (Cell{3, 4}));
    items->setCurrentRow(1);
    QTest::keyClick(items, Qt::Key_Delete);
    QCOMPARE(removed.back().front().value<Cell>(), (Cell{8, 1}));
  }
};

VQSCOPE_TEST(NotesListTest)
#include "notes_list_test.moc"
