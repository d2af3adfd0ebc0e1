// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panel/parameter_panel.h"

#include "tests/support/needs_lab.h"
#include "tests/support/test_main.h"
#include "tests/widgets/panel/shown_panel.h"
#include "tests/widgets/view/view_cases.h"
#include "widgets/form/control/thin_slider.h"
#include "widgets/form/editor/number_editor.h"
#include "widgets/theme/palette.h"

#include <QCheckBox>
#include <QSignalSpy>

using namespace vqscope;
using namespace vqscope::test;

class ParameterPanelTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// However many blocks come in, undo takes all of them back at once.
  void aPlayIsOneStepOfUndo() {
    NEEDS_LAB();
    ShownPanel s("vq");
    ShownPage next = s.state();
    next.method = "vq_cache";
    QVERIFY(s.bench.edit("Show vq_cache", next));
    next = s.state();
    QCOMPARE(next.values.integer("filled"), Index{4});
    next.values.set("filled", Index{1});
    QVERIFY(s.bench.edit("Change filled", next));
    auto* play = s.part<PlayButton>("filled.play");
    QVERIFY(play);
    play->setInterval(0);
    play->click();
    QTRY_VERIFY(!play->isPlaying());
    QCOMPARE(s.state().values.integer("filled"), Index{4});
    s.bench.undoStack().undo();
    QCOMPARE(s.state().values.integer("filled"), Index{1});
  }

  void initTestCase() { applyTheme(*qApp, Theme::light); }

  void typingEditsTheWorkbench() {
    ShownPanel s;
    s.type("q_length", "2^21");
    QCOMPARE(s.state().values.integer("q_length"), Index{2097152});
    QCOMPARE(s.bench.undoStack().count(), 1);
    QVERIFY(s.bench.undoStack().undoText().contains("q_length"));
    s.bench.undoStack().undo();
    QCOMPARE(s.state().values.integer("q_length"), Index{512});
    QCOMPARE(s.part<QLineEdit>("q_length")->text(), QString("512"));
  }

  void invalidEditShowsErrorAndKeepsSession() {
    ShownPanel s;
    const Session before = s.bench.session();
    QSignalSpy changed(&s.bench, &Workbench::changed);
    s.type("num_buckets", "31");
    QCOMPARE(s.sentence("num_buckets"), QString("num_buckets is 31 but must be even when bidirectional"));
    QCOMPARE(s.bench.session(), before);
    QCOMPARE(changed.count(), 0);
    QCOMPARE(s.bench.undoStack().count(), 0);
    QVERIFY2(s.part<QLineEdit>("num_buckets")->text() == "31", "what was typed stays to be corrected");

    s.type("num_buckets", "30");
    QCOMPARE(s.sentence("num_buckets"), QString());
    QCOMPARE(s.state().values.integer("num_buckets"), Index{30});
  }

  /// Either of the two parameters can put it right.
  void otherParameterResolvesTheError() {
    ShownPanel s;
    s.type("num_buckets", "31");
    QVERIFY(!s.sentence("num_buckets").isEmpty());
    QTest::keyClick(s.part<QWidget>("bidirectional"), Qt::Key_Space);
    QCOMPARE(s.sentence("num_buckets"), QString());
    QCOMPARE(s.state().values.integer("num_buckets"), Index{31});
    QVERIFY(!s.state().values.boolean("bidirectional"));
    QCOMPARE(s.bench.undoStack().count(), 1);
  }

  /// Another parameter that is all right does not take the sentence away while its reason stands.
  void errorStaysWhileItsCauseStays() {
    ShownPanel s;
    s.type("num_buckets", "31");
    s.type("q_length", "100");
    QCOMPARE(s.sentence("num_buckets"), QString("num_buckets is 31 but must be even when bidirectional"));
    QCOMPARE(s.state().values.integer("num_buckets"), Index{32});
  }

  void undoClearsTheError() {
    ShownPanel s;
    s.type("q_length", "100");
    s.type("num_buckets", "31");
    s.bench.undoStack().undo();
    QCOMPARE(s.sentence("num_buckets"), QString());
    QCOMPARE(s.part<QLineEdit>("num_buckets")->text(), QString("32"));
    QCOMPARE(s.part<QLineEdit>("q_length")->text(), QString("512"));
  }

  void aDragIsOneStep() {
    ShownPanel s;
    auto* slider = s.part<ThinSlider>("q_length.slider");
    QVERIFY(slider);
    const int y = slider->height() / 2;
    drag(slider, {slider->width() / 3, y}, {slider->width() - 10, y});
    QVERIFY(s.state().values.integer("q_length") > 512);
    QCOMPARE(s.bench.undoStack().count(), 1);
    drag(slider, {slider->width() - 10, y}, {slider->width() / 2, y});
    QCOMPARE(s.bench.undoStack().count(), 2);
    s.bench.undoStack().undo();
    s.bench.undoStack().undo();
    QCOMPARE(s.state().values.integer("q_length"), Index{512});
  }

  void viewOptionsAreEdits() {
    ShownPanel s;
    s.choose("max");
    QVERIFY(s.state().aggregate == Aggregate::max);
    s.choose("Magma");
    QCOMPARE(s.state().colour_map, std::string("magma"));
    for (auto* box : s.panel.findChildren<QCheckBox*>())
      if (box->text() == "Square cells") box->click();
    QVERIFY(s.state().keep_aspect);
    QCOMPARE(s.bench.undoStack().count(), 3);
    for (int i = 0; i < 3; ++i) s.bench.undoStack().undo();
    QCOMPARE(s.bench.session().pages, default_session().pages);
  }

  /// In a room with several pages, the list of the room has their methods.
  void methodsOfAPageAreAChoice() {
    ShownPanel s("masks");
    auto* second = s.button(QString::fromStdString(find_method("blocks") ? find_method("blocks")->title : "Blocks"));
    QVERIFY2(second, "no button for the second method");
    second->click();
    QCOMPARE(s.state().method, find_page_info("masks")->choices()[1]);
    s.bench.undoStack().undo();
    QVERIFY(!second->isChecked());
    if (find_page_info("experiments")) QVERIFY(ShownPanel("experiments").methodList());
    ShownPanel positions("rotary");
    QVERIFY(!positions.methodList());
    for (const auto& id : find_page_info("rotary")->choices())
      for (auto* button : positions.panel.findChildren<QPushButton*>())
        QVERIFY2(!find_method(id)->title.ends_with(button->text().toStdString()), id.c_str());
  }

  void theOtherSideIsACopyToChange() {
    ShownPanel s;
    s.type("num_buckets", "64");
    s.compare(CompareMode::side_by_side);
    QVERIFY(s.state().compare == CompareMode::side_by_side);
    QCOMPARE(s.state().other, s.state().values);
    s.type("num_buckets", "16");
    QCOMPARE(s.state().other.integer("num_buckets"), Index{16});
    QCOMPARE(s.state().values.integer("num_buckets"), Index{64});
    s.button("A")->click();
    QCOMPARE(s.part<QLineEdit>("num_buckets")->text(), QString("64"));
    s.type("num_buckets", "8");
    QCOMPARE(s.state().values.integer("num_buckets"), Index{8});
    QCOMPARE(s.state().other.integer("num_buckets"), Index{16});
  }

  /// A T that somebody has set stays beside a text that gives another, with a warning below it.
  void aLengthOfTheTextIsNamedBelowT() {
    ShownPanel s("masks");
    s.type("q_length", "64");
    ShownPage next = s.state();
    next.values.set("mask", std::string("custom"));
    next.values.set("mask_text", std::string("Q_LEN = 128\nkv_idx <= q_idx"));
    QVERIFY(s.bench.edit("text", next));
    QCOMPARE(s.state().values.integer("q_length"), Index{64});
    QCOMPARE(s.sentence("q_length"), QString("q_length is 64, but the text's Q_LEN is 128"));
    s.type("q_length", "0");
    QVERIFY2(s.sentence("q_length").contains("must be"), "an error goes before a warning");
    s.type("q_length", "128");
    QCOMPARE(s.sentence("q_length"), QString());
  }

  void bothSidesShareTheTokens() {
    ShownPanel s;
    s.compare(CompareMode::side_by_side);
    s.type("q_length", "300");
    QCOMPARE(s.state().values.integer("q_length"), Index{300});
    QCOMPARE(s.state().other.integer("q_length"), Index{300});
  }

  /// The form is made anew while the value is taken back.
  void aResetThatBringsOtherParameters() {
    ShownPanel s("masks");
    ShownPage next = s.state();
    next.values.set("mask", std::string("custom"));
    next.values.set("mask_text", std::string("q_idx - kv_idx < width"));
    QVERIFY(s.bench.edit("text", next));
    QVERIFY(s.part<QWidget>("text.width"));
    auto* dot = s.part<QAbstractButton>("mask.reset");
    QVERIFY(dot && !dot->isHidden());
    dot->click();
    QCOMPARE(s.state().values.choice("mask"), std::string("causal"));
    QVERIFY(!s.state().own.find("mask"));
    QVERIFY(!s.state().values.find("text.width"));
    QVERIFY(!s.part<QAbstractButton>("mask.reset")->isVisible());
  }

  /// The form shows values of linked maps only while maps are compared, which are not linked then.
  void formOmitsValuesSetByLinkedMaps() {
    NEEDS_LAB();
    ShownPanel s("vq");
    QCOMPARE(s.state().method, std::string("vq_weights"));
    QVERIFY(!s.part<QWidget>("weights"));
    QVERIFY(s.part<QWidget>("n_code"));
    s.compare(CompareMode::side_by_side);
    QVERIFY(s.part<QWidget>("weights"));
    s.compare(CompareMode::none);
    QTRY_VERIFY(!s.part<QWidget>("weights"));
  }

  void everyPageHasAPanel() {
    for (const auto& info : page_infos()) {
      ShownPanel s(info.id.c_str());
      for (const auto& spec : shown_parameters(s.state().method, s.state().values))
        if (s.state().method != "vq_weights" || spec.name != "weights")
          QVERIFY2(s.part<QWidget>(spec.name.c_str()), spec.name.c_str());
    }
  }
};

VQSCOPE_TEST(ParameterPanelTest)
#include "parameter_panel_test.moc"
