// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask/editor/mask_editor.h"

#include "core/mask/language/language_mask.h"
#include "core/sequence/sequence_layout.h"
#include "tests/support/test_main.h"
#include "widgets/form/control/mask_text_edit.h"
#include "widgets/theme/palette.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <memory>

using namespace vqscope;

namespace {

const char* const windowText =
    "W = 3\n"
    "def mask_mod(b, h, q_idx, kv_idx):\n"
    "    causal = q_idx >= kv_idx\n"
    "    window = q_idx - kv_idx <= W\n"
    "    return causal & window\n";

std::shared_ptr<const Mask> maskOfText(const char* text) {
  return *LanguageMask::make(MaskProgram::parse(text).program, {}, *SequenceLayout::make({.q_length = 16}));
}

struct ShownEditor {
  std::unique_ptr<MaskTextEdit> form = std::make_unique<MaskTextEdit>();
  MaskEditor editor;

  ShownEditor() {
    form->setMaskText(windowText);
    editor.resize(420, 600);
    editor.follow(form.get(), {});
    editor.show();
  }
  bool says(const QString& words) const {
    for (const auto* label : editor.findChildren<QLabel*>())
      if (label->isVisibleTo(&editor) && label->text().contains(words)) return true;
    return false;
  }
};

}  // namespace

class MaskEditorTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() { applyTheme(*qApp, Theme::light); }

  /// Both views have one text; what is typed in one is accepted by the other.
  void typing_is_that_of_the_form() {
    ShownEditor s;
    QSignalSpy accepted(s.form.get(), &MaskTextEdit::accepted);
    QCOMPARE(s.editor.code()->toPlainText(), QString(windowText));
    s.editor.code()->moveCursor(QTextCursor::End);
    QTest::keyClicks(s.editor.code(), "# end");
    QVERIFY(s.form->toPlainText().endsWith("# end"));
    QVERIFY(accepted.count() > 0);
    QTest::keyClick(s.editor.code(), Qt::Key_Return, Qt::ControlModifier);
    QVERIFY2(accepted.last()[1].toBool(), "Ctrl+Return ends the step");
  }

  void values_of_the_cell_stand_behind_the_lines() {
    ShownEditor s;
    s.editor.setMask(maskOfText(windowText));
    s.editor.setCell({9, 2});
    QVERIFY(s.says("query 9, key 2"));
    QCOMPARE(s.editor.code()->noteOf(2), QString("9 >= 2 ✓"));
    QCOMPARE(s.editor.code()->noteOf(3), QString("7 <= 3 ✗"));
    s.editor.setCell({3, 2});
    QCOMPARE(s.editor.code()->noteOf(3), QString("1 <= 3 ✓"));
    QVERIFY(!s.editor.grab().isNull());
  }

  void messages_are_whole() {
    ShownEditor s;
    s.form->setMaskText("return (q_idx >= kv_idx");
    QVERIFY(s.says("Line 1, column 8"));
    QCOMPARE(s.editor.code()->extraSelections().size(), 1);
    s.form->setMaskText(windowText);
    QVERIFY(!s.says("Line 1"));
  }

  void a_fix_is_underlined_and_chosen() {
    ShownEditor s;
    QSignalSpy chosen(&s.editor, &MaskEditor::fixChosen);
    TextFix fix{
        .rule = "window_off", .line = 4, .column = 29, .found = "<=", .fix = "<", .sentence = "row 3 sees key 0"};
    s.editor.setFix(fix);
    QCOMPARE(s.editor.code()->extraSelections().size(), 1);
    QCOMPARE(s.editor.code()->extraSelections()[0].cursor.selectedText(), QString("<="));
    QVERIFY(s.says("Row 3 sees key 0."));
    for (auto* button : s.editor.findChildren<QPushButton*>())
      if (button->text() == "Fix: <") button->click();
    QCOMPARE(chosen.count(), 1);
    s.editor.follow(nullptr, {});
    s.editor.follow(s.form.get(), {});
    QVERIFY2(s.editor.code()->fix(), "found before the text was shown");
    fix.column = 1;
    s.editor.setFix(fix);
    QVERIFY2(!s.editor.code()->fix(), "of another text");
  }

  void the_mouse_over_a_name_points_at_its_term() {
    ShownEditor s;
    s.editor.setMask(maskOfText(windowText));
    s.editor.setCell({9, 2});
    QSignalSpy pointed(&s.editor, &MaskEditor::termPointed);
    QTextCursor cursor(s.editor.code()->document());
    cursor.setPosition(static_cast<int>(s.editor.code()->toPlainText().indexOf("window =")) + 2);
    const QPoint at = s.editor.code()->cursorRect(cursor).center();
    QMouseEvent move(QEvent::MouseMove, at, s.editor.code()->viewport()->mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                     Qt::NoModifier);
    QCoreApplication::sendEvent(s.editor.code()->viewport(), &move);
    QCOMPARE(pointed.count(), 1);
    QCOMPARE(pointed[0][0].value<std::optional<std::size_t>>(), std::optional<std::size_t>(1));
    s.form->setMaskText(QString(windowText) + "# another text\n");
    s.editor.setCell({10, 2});
    QCoreApplication::sendEvent(s.editor.code()->viewport(), &move);
    QVERIFY2(!pointed.last()[0].value<std::optional<std::size_t>>(), "the mask is not of this text");
  }

  /// The form makes its fields anew while the editor shows their text.
  void the_form_may_go_first() {
    ShownEditor s;
    s.form.reset();
    QVERIFY(!s.editor.code()->edit());
    QCOMPARE(s.editor.code()->toPlainText(), QString());
    QTest::keyClicks(s.editor.code(), "x");
    QCOMPARE(s.editor.code()->toPlainText(), QString());
  }
};

VQSCOPE_TEST(MaskEditorTest)
#include "mask_editor_test.moc"
