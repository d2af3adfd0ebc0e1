// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/page/field/note_dialog.h"

#include "core/session/note/cell_note.h"
#include "tests/support/test_main.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QTest>

#include <algorithm>

using namespace vqscope;

/// Texts that a note may have, and longer ones.
class NoteDialogTest : public vqscope::test::TestCase {
  Q_OBJECT
 private slots:
  void a_long_text_is_not_cut_without_a_word() {
    NoteDialog dialog("query 1, key 0", "why?", nullptr);
    dialog.open();
    auto* text = dialog.findChild<QPlainTextEdit*>();
    text->setPlainText(QString(static_cast<qsizetype>(longest_cell_note), 'x') + "y");
    QTest::keyClick(&dialog, Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(dialog.isVisible());
    const auto labels = dialog.findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(labels, [](const QLabel* each) {
      return each->isVisible() && each->text() == "This note has 4097 bytes; a note has at most 4096.";
    }));
    text->setPlainText(text->toPlainText().chopped(1));
    QTest::keyClick(&dialog, Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(!dialog.isVisible());
    QCOMPARE(dialog.result(), static_cast<int>(QDialog::Accepted));
  }
};

VQSCOPE_TEST(NoteDialogTest)
#include "note_dialog_test.moc"
