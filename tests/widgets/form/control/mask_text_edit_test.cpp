// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/control/mask_text_edit.h"

#include "tests/support/test_main.h"
#include "widgets/form/control/mask_highlighter.h"
#include "widgets/theme/palette.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QCompleter>
#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>
#include <QTextLayout>

using namespace vqscope;

namespace {

struct Shown {
  MaskTextEdit edit;
  QSignalSpy accepted{&edit, &MaskTextEdit::accepted};
  QSignalSpy refused{&edit, &MaskTextEdit::refused};

  Shown() {
    edit.resize(300, 200);
    edit.show();
    edit.setFocus();
  }
  QString lastRefusal() const { return refused.isEmpty() ? QString() : refused.last()[0].toString(); }
  QColor colourAt(int line, int column) const {
    for (const auto& range : edit.document()->findBlockByNumber(line).layout()->formats())
      if (column >= range.start && column < range.start + range.length) return range.format.foreground().color();
    return {};
  }
};

}  // namespace

class MaskTextEditTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() { applyTheme(*qApp, Theme::light); }

  void textsThatAreMasksAreAcceptedWhileTyping() {
    Shown s;
    s.edit.setMaskText("q_idx >= kv_idx");
    QCOMPARE(s.accepted.count(), 0);
    s.edit.moveCursor(QTextCursor::End);
    QTest::keyClicks(&s.edit, " +");
    QVERIFY2(s.lastRefusal().contains("line 1, column"), qPrintable(s.lastRefusal()));
    const auto before = s.accepted.count();
    QTest::keyClicks(&s.edit, " 3");
    QVERIFY(s.accepted.count() > before);
    QCOMPARE(s.accepted.last()[0].toString(), QString("q_idx >= kv_idx + 3"));
    QVERIFY2(!s.accepted.last()[1].toBool(), "more may be typed");
    QCOMPARE(s.lastRefusal(), QString());
    QTest::keyClick(&s.edit, Qt::Key_Return, Qt::ControlModifier);
    QVERIFY2(s.accepted.last()[1].toBool(), "Ctrl+Return ends the step");
  }

  void anErrorIsUnderlinedWhereItIs() {
    Shown s;
    s.edit.setMaskText(QString::fromUtf8("# ünïcode 😀\nreturn (q_idx >= kv_idx"));
    const auto marks = s.edit.extraSelections();
    QCOMPARE(marks.size(), 1);
    QCOMPARE(marks[0].cursor.selectedText(), QString("("));
    QCOMPARE(marks[0].format.underlineStyle(), QTextCharFormat::WaveUnderline);
    s.edit.setMaskText("return q_idx >= kv_idx");
    QVERIFY(s.edit.extraSelections().isEmpty());
  }

  void warningsAreUnderlinedToo() {
    Shown s;
    s.edit.setMaskText("q_idx >= kv_idx & x == 1");
    QVERIFY(!s.edit.extraSelections().isEmpty());
    QVERIFY(!s.edit.toolTip().isEmpty());
  }

  void keywordsNamesAndCommentsHaveTheirColours() {
    Shown s;
    s.edit.setMaskText(QString::fromUtf8("x = 1  # é\nreturn q_idx >= x"));
    const Palette& colours = currentPalette();
    QCOMPARE(s.colourAt(0, 4), colours.good);
    QCOMPARE(s.colourAt(0, 8), colours.secondary);
    QCOMPARE(s.colourAt(1, 0), colours.accent);
    QCOMPARE(s.colourAt(1, 7), colours.accent);
  }

  /// Qt reports the highlighter's colours as a change of the text.
  void coloursAreNoEdit() {
    Shown s;
    s.edit.setMaskText("q_idx >= kv_idx  # causal");
    QApplication::processEvents();
    applyTheme(*qApp, Theme::dark);
    QApplication::processEvents();
    applyTheme(*qApp, Theme::light);
    QApplication::processEvents();
    QTest::keyClick(&s.edit, Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(s.accepted.count(), 0);
    QVERIFY(s.refused.isEmpty());
  }

  /// The lines below a change take other colours too, all of them from one reading of the text.
  void coloursFollowEdits() {
    Shown s;
    s.edit.setMaskText("x = 1\ny = 2\nreturn q_idx >= x + y");
    const Palette& colours = currentPalette();
    QCOMPARE(s.colourAt(1, 4), colours.good);
    s.edit.moveCursor(QTextCursor::Start);
    QTest::keyClicks(&s.edit, "# ");
    QCOMPARE(s.colourAt(0, 4), colours.secondary);
    QCOMPARE(s.colourAt(2, 0), colours.accent);
    s.edit.moveCursor(QTextCursor::Start);
    s.edit.insertPlainText("'\n");
    QCOMPARE(s.colourAt(1, 2), colours.secondary);
    QCOMPARE(s.colourAt(3, 0), colours.accent);
  }

  void namesAreCompleted() {
    Shown s;
    QTest::keyClicks(&s.edit, "docum");
    auto* completer = s.edit.findChild<QCompleter*>();
    QVERIFY(completer->completionCount() > 0);
    emit completer->activated(QString("document_id"));
    QCOMPARE(s.edit.toPlainText(), QString("document_id"));
  }

  void returnKeepsTheIndent() {
    Shown s;
    QTest::keyClicks(&s.edit, "def f(b, h, q_idx, kv_idx):");
    s.edit.findChild<QCompleter*>()->popup()->hide();
    QTest::keyClick(&s.edit, Qt::Key_Return);
    QTest::keyClicks(&s.edit, "return 1");
    QCOMPARE(s.edit.toPlainText(), QString("def f(b, h, q_idx, kv_idx):\n    return 1"));
  }

  void placesOfErrorsInCharacters() {
    const QString text = QString::fromUtf8("a😀b\nxyz");
    QVERIFY((charactersOf({1, 3, 1, {}}, text) == Range{3, 4}));
    QVERIFY((charactersOf({2, 2, 2, {}}, text) == Range{6, 8}));
    QVERIFY2((charactersOf({2, 4, 1, {}}, text) == Range{7, 8}), "at the end: the last character");
    QVERIFY((charactersOf({1, 1, 1, {}}, QString()) == Range{0, 0}));
  }
};

VQSCOPE_TEST(MaskTextEditTest)
#include "mask_text_edit_test.moc"
