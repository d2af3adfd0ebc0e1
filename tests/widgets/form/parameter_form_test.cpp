// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/parameter_form.h"

#include "tests/support/test_main.h"
#include "tests/widgets/form/shown_form.h"
#include "widgets/form/control/thin_slider.h"
#include "widgets/theme/palette.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QWheelEvent>

using namespace vqscope;
using namespace vqscope::test;

namespace {

void sendWheel(QWidget* widget, int notches, Qt::KeyboardModifiers modifiers = {}) {
  const QPointF at = widget->rect().center();
  QWheelEvent event(at, widget->mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton, modifiers, Qt::NoScrollPhase,
                    false);
  QApplication::sendEvent(widget, &event);
}

}  // namespace

class ParameterFormTest : public test::TestCase {
  Q_OBJECT
 private slots:
  void initTestCase() { applyTheme(*qApp, Theme::light); }

  void startsWithUnmodifiedDefaults() {
    ShownForm s;
    QCOMPARE(s.form.values(), default_values(everyKind()));
    for (const auto& spec : everyKind()) QVERIFY(!s.part((spec.name + ".reset").c_str())->isVisible());
  }

  void settingValuesEmitsNoSignal() {
    ShownForm s;
    s.part("causal")->setFocus();
    ParameterValues values = s.form.values();
    values.set("q_length", Index{4294967296});
    values.set("factor", 2.5);
    values.set("rope_type", std::string("yarn"));
    values.set("side", std::string("right"));
    values.set("causal", false);
    values.set("curves", std::vector<std::string>{"t5", "xpos"});
    values.set("document_lengths", std::vector<Index>{3, 4});
    s.form.setValues(values);
    QCOMPARE(s.form.values(), values);
    QVERIFY(s.edits.empty());
    QCOMPARE(s.part<QLineEdit>("q_length")->text(), QString::fromUtf8("4\u202f294\u202f967\u202f296"));
    QCOMPARE(s.part<QComboBox>("rope_type")->currentText(), QString("yarn"));
    QCOMPARE(s.part<QLineEdit>("document_lengths")->text(), QString("3, 4"));
    QVERIFY(!s.part<QCheckBox>("causal")->isChecked());
    QVERIFY(s.part("q_length.reset")->isVisible());
  }

  void unknownNamesAreIgnored() {
    ShownForm s;
    ParameterValues values;
    values.set("stranger", Index{1});
    s.form.setValues(values);
    QCOMPARE(s.form.values(), default_values(everyKind()));
  }

  void typingEmitsTheRightTypeOnce() {
    ShownForm s;
    QTest::keyClick(s.type("q_length", "2^21"), Qt::Key_Return);
    QCOMPARE(s.edits.size(), std::size_t{1});
    QCOMPARE(s.edits[0].name, QString("q_length"));
    QCOMPARE(s.edits[0].value, ParameterValue(Index{2097152}));
    QVERIFY(s.edits[0].finished);
    s.part("kv_length")->setFocus();
    QCOMPARE(s.edits.size(), std::size_t{1});
    QCOMPARE(s.form.values().integer("q_length"), Index{2097152});
  }

  void leavingTheBoxCommits() {
    ShownForm s;
    s.type("q_length", "64k");
    QVERIFY(s.edits.empty());
    s.part("kv_length")->setFocus();
    QCOMPARE(s.edits.size(), std::size_t{1});
    QCOMPARE(s.edits[0].value, ParameterValue(Index{65536}));
  }

  void escapeBringsTheValueBack() {
    ShownForm s;
    auto* box = s.type("q_length", "77");
    QTest::keyClick(box, Qt::Key_Escape);
    QCOMPARE(box->text(), QString("512"));
    QVERIFY(s.edits.empty());
  }

  void outOfRangeShowsErrorAndKeepsTheValue() {
    ShownForm s;
    auto* box = s.type("q_length", "0");
    QTest::keyClick(box, Qt::Key_Return);
    auto* sentence = s.part<QLabel>("q_length.error");
    QVERIFY(sentence->isVisible());
    QCOMPARE(sentence->text(), QString("q_length is 0 but must be an integer from 1 to 4294967296"));
    QVERIFY(box->property("invalid").toBool());
    QVERIFY(s.edits.empty());
    QCOMPARE(s.form.values().integer("q_length"), Index{512});

    s.form.setValues(s.form.values());
    QCOMPARE(box->text(), QString("0"));
    QTest::keyClick(s.type("q_length", "1024"), Qt::Key_Return);
    QVERIFY(!sentence->isVisible());
    QVERIFY(!box->property("invalid").toBool());
    QCOMPARE(s.edits.size(), std::size_t{1});
  }

  void incompleteNumberIsAnErrorOnlyOnEnter() {
    ShownForm s;
    auto* box = s.type("q_length", "2^");
    QVERIFY(!s.part("q_length.error")->isVisible());
    QTest::keyClick(box, Qt::Key_Return);
    QVERIFY(s.part("q_length.error")->isVisible());
    QVERIFY(s.edits.empty());
  }

  void listsAreCheckedWhileTyping() {
    ShownForm s;
    auto* box = s.type("document_lengths", "128, 2000");
    QVERIFY(s.part<QLabel>("document_lengths.error")->text().contains("from 1 to 1000"));
    QTest::keyClick(box, Qt::Key_Backspace);
    QVERIFY(!s.part("document_lengths.error")->isVisible());
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(s.edits.size(), std::size_t{1});
    QCOMPARE(s.edits[0].value, ParameterValue(std::vector<Index>{128, 200}));
  }

  void aDragIsOneFinishedEdit() {
    ShownForm s;
    auto* slider = s.part<ThinSlider>("q_length.slider");
    const int y = slider->height() / 2;
    QTest::mousePress(slider, Qt::LeftButton, {}, {60, y});
    for (int x = 70; x <= 200; x += 10) QTest::mouseMove(slider, {x, y});
    QVERIFY(s.edits.size() > 5);
    for (const auto& edit : s.edits) {
      QVERIFY(!edit.finished);
      QVERIFY(check_value(everyKind()[0], edit.value));
    }
    const ParameterValue last = s.edits.back().value;
    const std::size_t before = s.edits.size();
    QTest::mouseRelease(slider, Qt::LeftButton, {}, {200, y});
    QCOMPARE(s.edits.size(), before + 1);
    QVERIFY(s.edits.back().finished);
    QCOMPARE(s.edits.back().value, last);
    QCOMPARE(s.form.values().integer("q_length"), std::get<Index>(last));
  }

  void theEndsOfASliderAreTheRange() {
    ShownForm s;
    auto* slider = s.part<ThinSlider>("q_length.slider");
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_End);
    QCOMPARE(s.edits.back().value, ParameterValue(Index{4294967296}));
    QVERIFY(s.edits.back().finished);
    QTest::keyClick(slider, Qt::Key_Home);
    QCOMPARE(s.edits.back().value, ParameterValue(Index{1}));
    QTest::keyClick(slider, Qt::Key_PageUp);
    QCOMPARE(s.edits.back().value, ParameterValue(Index{2}));
  }

  void keysStepTheNumber() {
    ShownForm s;
    auto* box = s.part<EntryBox>("q_length");
    box->setFocus();
    const auto after = [&](Qt::Key key, Qt::KeyboardModifiers modifiers) {
      QTest::keyClick(box, key, modifiers);
      return std::get<Index>(s.edits.back().value);
    };
    QCOMPARE(after(Qt::Key_Up, {}), Index{513});
    QCOMPARE(after(Qt::Key_Up, Qt::ShiftModifier), Index{523});
    QCOMPARE(after(Qt::Key_PageDown, {}), Index{513});
    QCOMPARE(after(Qt::Key_Up, Qt::ControlModifier), Index{1024});
    for (const auto& edit : s.edits) QVERIFY(edit.finished);
    QCOMPARE(box->text(), QString("1024"));
  }

  void theWheelNeedsTheFocus() {
    ShownForm s;
    auto* box = s.part<EntryBox>("q_length");
    s.part("causal")->setFocus();
    sendWheel(box, 1);
    sendWheel(s.part("q_length.slider"), 1);
    sendWheel(s.part("rope_type"), 1);
    QVERIFY(s.edits.empty());
    box->setFocus();
    sendWheel(box, 2);
    QCOMPARE(s.edits.back().value, ParameterValue(Index{514}));
    sendWheel(box, -1, Qt::ControlModifier);
    QCOMPARE(s.edits.back().value, ParameterValue(Index{512}));
  }

  void untouchedBoxLeavesUndoToTheWindow() {
    ShownForm s;
    auto* box = s.part<EntryBox>("q_length");
    box->setFocus();
    const auto taken = [&] {
      QKeyEvent event(QEvent::ShortcutOverride, Qt::Key_Z, Qt::ControlModifier);
      event.ignore();
      QApplication::sendEvent(box, &event);
      return event.isAccepted();
    };
    QVERIFY(!taken());
    QTest::keyClicks(box, "7");
    QVERIFY(taken());
  }

  void exportShortcutsReachTheWindow() {
    ShownForm s;
    auto* box = s.part<EntryBox>("q_length");
    QKeyEvent event(QEvent::ShortcutOverride, Qt::Key_E, Qt::ControlModifier);
    event.ignore();
    QApplication::sendEvent(box, &event);
    QVERIFY2(!event.isAccepted(), "a line edit would take it for the end of the line");
  }

  void choicesChecksAndChipsEmit() {
    ShownForm s;
    s.part<QComboBox>("rope_type")->setCurrentText("yarn");
    QCOMPARE(s.edits.back().value, ParameterValue(std::string("yarn")));
    QTest::keyClick(s.part("causal"), Qt::Key_Space);
    QCOMPARE(s.edits.back().value, ParameterValue(false));
    for (auto* button : s.form.findChildren<QPushButton*>())
      if (button->text() == "right" || button->text() == "xpos") s.press(button);
    QCOMPARE(s.form.values().choice("side"), std::string("right"));
    QCOMPARE(s.form.values().choices("curves"), (std::vector<std::string>{"alibi", "xpos"}));
    QCOMPARE(s.edits.size(), std::size_t{4});
  }

  void tabFollowsTheForm() {
    ShownForm s;
    s.part("q_length")->setFocus();
    QStringList order;
    for (int i = 0; i < 5; ++i) {
      QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
      order << QApplication::focusWidget()->objectName();
    }
    QCOMPARE(order, (QStringList{"q_length.slider", "kv_length", "kv_length.slider", "rope_type", "side"}));
  }

  void destructionWithAPendingEntryIsSilent() {
    std::vector<Edit> edits;
    {
      ShownForm s;
      s.type("q_length", "99");
      edits.swap(s.edits);
    }
    QVERIFY(edits.empty());
  }
};

VQSCOPE_TEST(ParameterFormTest)
#include "parameter_form_test.moc"
