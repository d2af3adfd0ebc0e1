// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/parameter_form.h"

#include "tests/support/test_main.h"
#include "widgets/form/control/entry_box.h"
#include "widgets/form/control/thin_slider.h"
#include "widgets/form/parameter_row.h"
#include "widgets/theme/palette.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

using namespace vqscope;

namespace {

std::vector<ParameterSpec> everyKind() {
  return {{.name = "q_length",
           .label = "T",
           .group = "Sequence",
           .help = "Number of queries <n>.",
           .default_value = Index{512},
           .minimum = 1,
           .maximum = 4294967296.0,
           .logarithmic = true,
           .unit = "tokens"},
          {.name = "kv_length", .group = "Sequence", .maximum = 4294967296.0, .automatic = "q_length + past_len"},
          {.name = "factor",
           .group = "Rotary",
           .kind = ParameterKind::real,
           .default_value = 1.0,
           .minimum = 1,
           .maximum = 64,
           .relevant = {{"rope_type", {"yarn"}}}},
          {.name = "rope_type",
           .group = "Type",
           .kind = ParameterKind::choice,
           .default_value = std::string("default"),
           .choices = {{"default", ""}, {"linear", "positions / factor"}, {"dynamic", ""}, {"yarn", ""}}},
          {.name = "side",
           .group = "Type",
           .kind = ParameterKind::choice,
           .default_value = std::string("left"),
           .choices = {{"left", ""}, {"right", ""}}},
          {.name = "causal", .group = "Type", .kind = ParameterKind::boolean, .default_value = true},
          {.name = "curves",
           .group = "Type",
           .kind = ParameterKind::choice_set,
           .default_value = std::vector<std::string>{"alibi"},
           .choices = {{"alibi", ""}, {"t5", ""}, {"xpos", ""}}},
          {.name = "document_lengths",
           .group = "Type",
           .kind = ParameterKind::integer_list,
           .default_value = std::vector<Index>{},
           .minimum = 1,
           .maximum = 1000,
           .automatic = "one document"}};
}

struct Edit {
  QString name;
  ParameterValue value;
  bool finished;
};

/// A form on screen, and its signals.
struct ShownForm {
  ParameterForm form{everyKind()};
  std::vector<Edit> edits;

  ShownForm() {
    QObject::connect(&form, &ParameterForm::valueEdited, &form,
                     [this](const QString& name, const ParameterValue& value, bool finished) {
                       edits.push_back({name, value, finished});
                     });
    form.resize(288, 700);
    form.show();
    form.activateWindow();
    [[maybe_unused]] const bool active = QTest::qWaitForWindowActive(&form);
  }

  template <class Widget = QWidget>
  Widget* part(const char* name) {
    return form.findChild<Widget*>(name);
  }

  EntryBox* type(const char* name, const char* text) {
    auto* box = part<EntryBox>(name);
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, text);
    return box;
  }

  void press(QAbstractButton* button) { QTest::mouseClick(button, Qt::LeftButton); }
};

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

  /// A number that lost its first digits would be another one.
  void numbersAreShownWhole() {
    ShownForm s;
    auto* box = s.part<QLineEdit>("q_length");
    const int usual = box->width();
    ParameterValues values = s.form.values();
    for (const Index number : {Index{512}, Index{2147483648}, Index{1} << 40}) {
      values.set("q_length", number);
      s.form.setValues(values);
      QCoreApplication::sendPostedEvents();
      QApplication::processEvents();
      QVERIFY2(QFontMetrics(box->font()).horizontalAdvance(box->text()) + 12 <= box->width(), qPrintable(box->text()));
      QVERIFY(box->mapTo(&s.form, QPoint()).x() >= 0 && box->geometry().right() < s.form.width());
    }
    values.set("q_length", Index{1});
    s.form.setValues(values);
    QCOMPARE(box->width(), usual);
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

  void changedSpecsKeepOtherRows() {
    ShownForm s;
    auto* box = s.type("q_length", "77");
    auto specs = everyKind();
    ParameterSpec more = specs.front();
    more.name = "more";
    specs.push_back(more);
    s.form.setSpecs(specs);
    QVERIFY2(s.part<EntryBox>("q_length") == box && box->text() == "77", "what was being typed is gone");
    QVERIFY(s.part<EntryBox>("more"));
    QVERIFY(s.form.values().find("more"));
    specs.pop_back();
    s.form.setSpecs(specs);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QVERIFY(!s.part<EntryBox>("more"));
    QVERIFY(!s.form.values().find("more"));
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

  void irrelevantRowsAndTheirHeadingHide() {
    ShownForm s;
    const auto heading = [&] {
      for (auto* label : s.form.findChildren<QLabel*>())
        if (label->text() == "Rotary") return label->isVisible();
      return false;
    };
    QVERIFY(!s.part("factor")->isVisible());
    QVERIFY(!heading());
    s.part<QComboBox>("rope_type")->setCurrentText("yarn");
    QVERIFY(s.part("factor")->isVisible());
    QVERIFY(heading());
    s.form.setValues(default_values(everyKind()));
    QVERIFY(!s.part("factor")->isVisible());
  }

  void resetButtonRestoresTheDefault() {
    ShownForm s;
    QTest::keyClick(s.type("q_length", "77"), Qt::Key_Return);
    auto* dot = s.part<QAbstractButton>("q_length.reset");
    QVERIFY(dot->isVisible());
    QSignalSpy resets(&s.form, &ParameterForm::valueReset);
    const auto edits = s.edits.size();
    s.press(dot);
    QVERIFY(!dot->isVisible());
    QCOMPARE(resets.count(), 1);
    QCOMPARE(resets[0][0].toString(), QString("q_length"));
    QCOMPARE(s.edits.size(), edits);
    QCOMPARE(s.part<QLineEdit>("q_length")->text().toInt(), 512);
  }

  void automaticValueIsAPlaceholder() {
    ShownForm s;
    auto* box = s.part<QLineEdit>("kv_length");
    QCOMPARE(box->text(), QString());
    QCOMPARE(box->placeholderText(), QString("auto"));
    QTest::keyClick(s.type("kv_length", "12"), Qt::Key_Return);
    QCOMPARE(s.form.values().integer("kv_length"), Index{12});
    box->selectAll();
    QTest::keyClick(box, Qt::Key_Delete);
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(s.form.values().integer("kv_length"), Index{0});
  }

  void externalErrorsAreShownBelowTheirRow() {
    ShownForm s;
    s.form.setError("causal", "causal needs documents");
    auto* sentence = s.part<QLabel>("causal.error");
    QVERIFY(sentence->isVisible());
    QCOMPARE(sentence->text(), QString("causal needs documents"));
    s.form.setError("causal", {});
    QVERIFY(!sentence->isVisible());
    s.form.setError("stranger", "nobody");
  }

  /// An error must not move the field that the next click is meant for.
  void errorsDoNotMoveFields() {
    ShownForm s;
    std::vector<QRect> before;
    const auto places = [&] {
      QCoreApplication::processEvents();
      std::vector<QRect> all;
      for (const char* name : {"q_length", "kv_length", "rope_type", "side", "causal", "document_lengths"})
        all.emplace_back(s.part(name)->mapTo(&s.form, QPoint(0, 0)), s.part(name)->size());
      return all;
    };
    before = places();
    s.form.setError("q_length", QString("q_length is 0 but must be an integer from 1 to 4294967296").repeated(3));
    s.form.setError("causal", "causal needs documents");
    QVERIFY(s.part("q_length.error")->isVisible());
    QVERIFY(places() == before);
    QVERIFY2(s.part("q_length")->parentWidget()->toolTip().contains("from 1 to 4294967296</b>") ||
                 s.part("q_length")->parentWidget()->parentWidget()->toolTip().contains("from 1 to 4294967296</b>"),
             "the line may be cut");
  }

  void theMenuCopiesPastesAndResets() {
    ShownForm s;
    auto* row = s.form.findChild<QWidget*>("kv_length")->parentWidget();
    auto* parameter = qobject_cast<ParameterRow*>(row);
    while (!parameter && (row = row->parentWidget())) parameter = qobject_cast<ParameterRow*>(row);
    QVERIFY(parameter);
    const auto choose = [&](const QString& title) {
      const std::unique_ptr<QMenu> menu(parameter->makeMenu(nullptr));
      for (auto* action : menu->actions())
        if (action->text().startsWith(title) && action->isEnabled()) return action->trigger(), true;
      return false;
    };
    QVERIFY2(!choose("Reset"), "it has its default");
    QApplication::clipboard()->setText(" 2^10 ");
    QVERIFY(choose("Paste value"));
    QCOMPARE(s.form.values().integer("kv_length"), Index{1024});
    QVERIFY(choose("Copy as --set"));
    QCOMPARE(QApplication::clipboard()->text(), QString("--set kv_length=1024"));
    QVERIFY(choose("Copy value"));
    QCOMPARE(QApplication::clipboard()->text(), QString("1024"));
    QApplication::clipboard()->setText("many");
    QVERIFY2(!choose("Paste value"), "it is no value");
    const std::unique_ptr<QMenu> menu(parameter->makeMenu(nullptr));
    const auto tips = [&] {
      QStringList all;
      for (const auto* action : menu->actions()) all << action->toolTip();
      return all.join('\n');
    };
    QVERIFY2(tips().contains("Clipboard: kv_length is many but must be"), qPrintable(tips()));
    QCOMPARE(s.form.values().integer("kv_length"), Index{1024});
    QVERIFY(choose("Reset"));
    QCOMPARE(s.form.values().integer("kv_length"), Index{0});
  }

  void toolTipsShowRangeDefaultAndSource() {
    ShownForm s;
    s.form.setCitation({.paper = "Raffel et al. 2020"});
    const QString tip = s.part("q_length")->parentWidget()->toolTip();
    for (const char* text : {"Number of queries &lt;n&gt;.", "An integer from 1 to 4294967296 (tokens)", "Default: 512",
                             "Raffel et al. 2020"})
      QVERIFY2(tip.contains(text), text);
  }

  void fieldsHaveAccessibleNames() {
    ShownForm s;
    QCOMPARE(s.part("q_length")->accessibleName(), QString("T"));
    for (const auto& spec : everyKind()) QVERIFY(!s.part(spec.name.c_str())->accessibleName().isEmpty());
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

  void fitsThePanel() {
    ShownForm s;
    QVERIFY(s.form.minimumSizeHint().width() <= 288);
  }
};

VQSCOPE_TEST(ParameterFormTest)
#include "parameter_form_test.moc"
