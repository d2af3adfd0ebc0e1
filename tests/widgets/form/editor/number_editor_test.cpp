// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/editor/number_editor.h"

#include "tests/support/test_main.h"
#include "widgets/form/parameter_form.h"

#include <QTest>

using namespace vqscope;

namespace {

struct PlayedForm {
  ParameterForm form{{{.name = "step", .help = "Step.", .default_value = Index{2}, .maximum = 4, .playable = true},
                      {.name = "size", .help = "Size.", .default_value = Index{2}, .maximum = 4}}};
  EntryBox* box = form.findChild<EntryBox*>("step");
  PlayButton* play = form.findChild<PlayButton*>("step.play");
  std::vector<std::pair<Index, bool>> edits;

  PlayedForm() {
    QObject::connect(&form, &ParameterForm::valueEdited, &form,
                     [this](const QString&, const ParameterValue& value, bool finished) {
                       edits.emplace_back(std::get<Index>(value), finished);
                     });
    form.show();
    form.activateWindow();
    [[maybe_unused]] const bool active = QTest::qWaitForWindowActive(&form);
  }
};

/// A form of n = 100 that refuses some values.
struct LimitedForm {
  ParameterForm form{{{.name = "n", .help = "Number.", .default_value = Index{100}, .minimum = 2, .maximum = 1000}}};
  ThinSlider* slider = form.findChild<ThinSlider*>("n.slider");
  EntryBox* box = form.findChild<EntryBox*>("n");

  explicit LimitedForm(const std::function<bool(Index)>& isAllowed) {
    QObject::connect(&form, &ParameterForm::valueEdited, &form, [this, isAllowed] {
      if (isAllowed(form.values().integer("n")))
        form.model().dropDraft();
      else
        form.model().keepDraft({});
    });
    form.model().setCheck([isAllowed](const ParameterValues& values) {
      return isAllowed(values.integer("n")) ? QString() : QStringLiteral("n is not allowed");
    });
  }
};

using Edits = std::vector<std::pair<Index, bool>>;

}  // namespace

class NumberEditorTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void aPlayIsOneFinishedEdit() {
    PlayedForm s;
    QVERIFY(s.play);
    QVERIFY2(!s.form.findChild<PlayButton*>("size.play"), "not every number tells a story");
    s.play->setInterval(0);
    s.play->click();
    QTRY_VERIFY(!s.play->isPlaying());
    QCOMPARE(s.edits, (Edits{{3, false}, {4, false}, {4, true}}));
    QCOMPARE(s.box->text(), QString("4"));
  }

  /// Even numbers below 512: a drag and a step stay among them.
  void aSliderStopsAtTheLastAllowedValue() {
    LimitedForm s([](Index n) { return n % 2 == 0 && n < 512; });
    emit s.slider->dragged(1);
    QCOMPARE(s.box->value(), ParameterValue(Index{510}));
    emit s.slider->dragged(0);
    QCOMPARE(s.box->value(), ParameterValue(Index{2}));
    emit s.slider->stepped(1, Step::fine);
    QCOMPARE(s.box->value(), ParameterValue(Index{4}));
    emit s.slider->stepped(-1, Step::fine);
    emit s.slider->stepped(-1, Step::fine);
    QCOMPARE(s.box->value(), ParameterValue(Index{2}));
  }

  /// Where single numbers are refused, the form has to say why.
  void aSliderReachesWhatIsRefusedForAnotherReason() {
    LimitedForm s([](Index n) { return n % 100 == 0; });
    emit s.slider->dragged(1);
    QCOMPARE(s.box->value(), ParameterValue(Index{1000}));
    emit s.slider->dragged(0);
    QCOMPARE(s.box->value(), ParameterValue(Index{2}));
    emit s.slider->dragged(1);
    QCOMPARE(s.box->value(), ParameterValue(Index{1000}));
  }

  void playAtTheMaximumRestarts() {
    PlayedForm s;
    s.form.setValues([] {
      ParameterValues values;
      values.set("step", Index{4});
      return values;
    }());
    s.play->setInterval(0);
    s.play->setFocus();
    QTest::keyClick(s.play, Qt::Key_Space);
    QCOMPARE(s.edits, (Edits{{0, false}}));
    QTRY_VERIFY(!s.play->isPlaying());
    QCOMPARE(s.edits.back(), (std::pair<Index, bool>{4, true}));
  }

  void spacePausesThePlay() {
    PlayedForm s;
    s.play->setInterval(1'000'000);
    s.play->setFocus();
    QTest::keyClick(s.play, Qt::Key_Space);
    QVERIFY(s.play->isPlaying());
    emit s.play->stepped();
    QTest::keyClick(s.play, Qt::Key_Space);
    QVERIFY(!s.play->isPlaying());
    QCOMPARE(s.edits, (Edits{{3, false}, {3, true}}));
  }

  /// The play's step of undo is finished before the other edit begins its own.
  void anotherEditEndsThePlay() {
    PlayedForm s;
    startAndStep(s);
    s.box->setFocus();
    s.box->selectAll();
    QTest::keyClicks(s.box, "1");
    QVERIFY(!s.play->isPlaying());
    QCOMPARE(s.box->text(), QString("1"));
    QTest::keyClick(s.box, Qt::Key_Return);
    QCOMPARE(s.edits, (Edits{{3, false}, {3, true}, {1, true}}));
    s.edits.clear();
    startAndStep(s);
    QTest::keyClick(s.box, Qt::Key_Up);
    QCOMPARE(s.edits, (Edits{{2, false}, {2, true}, {3, true}}));
  }

  void anotherValueEndsThePlay() {
    PlayedForm s;
    startAndStep(s);
    ParameterValues values;
    values.set("step", Index{3});
    s.form.setValues(values);
    QVERIFY2(s.play->isPlaying(), "what it has come to, told back");
    values.set("step", Index{0});
    s.form.setValues(values);
    QVERIFY(!s.play->isPlaying());
    QTRY_COMPARE(s.edits.back(), (std::pair<Index, bool>{0, true}));
    QCOMPARE(s.box->text(), QString("0"));
  }

  void errorOrHidingEndsThePlay() {
    PlayedForm s;
    startAndStep(s);
    s.form.setError("size", "too small for this step");
    QVERIFY(!s.play->isPlaying());
    s.form.setError("size", {});
    startAndStep(s);
    s.form.hide();
    QVERIFY(!s.play->isPlaying());
    QCOMPARE(s.edits, (Edits{{3, false}, {3, true}, {4, false}, {4, true}}));
  }

 private:
  static void startAndStep(PlayedForm& s) {
    s.play->setInterval(1'000'000);
    s.play->click();
    emit s.play->stepped();
  }
};

VQSCOPE_TEST(NumberEditorTest)
#include "number_editor_test.moc"
