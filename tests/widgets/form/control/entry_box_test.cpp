// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/control/entry_box.h"

#include "tests/support/test_main.h"

#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

using namespace vqscope;

namespace {

ParameterSpec length() {
  return {
      .name = "length", .help = "Length.", .default_value = Index{2000}, .minimum = 0, .maximum = 9007199254740992.0};
}

/// The box with the focus, and its signals.
struct Box {
  EntryBox box;
  std::vector<Index> committed;
  std::vector<QString> refused;
  std::vector<std::pair<int, Step>> stepped;

  explicit Box(const ParameterSpec& spec = length()) : box(spec) {
    QObject::connect(&box, &EntryBox::committed, &box,
                     [this](const ParameterValue& value) { committed.push_back(std::get<Index>(value)); });
    QObject::connect(&box, &EntryBox::refused, &box, [this](const QString& sentence) { refused.push_back(sentence); });
    QObject::connect(&box, &EntryBox::stepped, &box,
                     [this](int count, Step step) { stepped.emplace_back(count, step); });
    box.setVisible(true);
    box.activateWindow();
    [[maybe_unused]] const bool active = QTest::qWaitForWindowActive(&box);
    box.setFocus();
    refused.clear();
  }
  void type(const QString& text) {
    box.selectAll();
    QTest::keyClicks(&box, text);
  }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(&box, key, modifiers); }
  bool isRed() const { return box.property("invalid").toBool(); }
  Index value() const { return std::get<Index>(box.value()); }
};

}  // namespace

class EntryBoxTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// So that typing replaces it; a second click puts the cursor.
  void aClickSelectsTheNumber() {
    Box s;
    s.box.clearFocus();
    QTest::mouseClick(&s.box, Qt::LeftButton);
    QVERIFY(s.box.hasFocus());
    QCOMPARE(s.box.selectedText(), s.box.text());
    QTest::keyClicks(&s.box, "8");
    s.press(Qt::Key_Return);
    QCOMPARE(s.committed, std::vector<Index>{8});
    s.box.deselect();
    QTest::mouseClick(&s.box, Qt::LeftButton);
    QVERIFY(!s.box.hasSelectedText());
  }

  void enterCommitsOnce() {
    Box s;
    s.type("4k");
    QVERIFY(s.committed.empty());
    s.press(Qt::Key_Return);
    s.press(Qt::Key_Return);
    QCOMPARE(s.committed, std::vector<Index>{4096});
    QCOMPARE(s.box.selectedText(), s.box.text());
  }

  void leavingCommits() {
    Box s;
    s.type("7");
    s.box.clearFocus();
    QCOMPARE(s.committed, std::vector<Index>{7});
  }

  /// Typed back to what it was: nothing has changed.
  void equalValueIsNoEdit() {
    Box s;
    s.type("2000");
    s.press(Qt::Key_Return);
    QVERIFY(s.committed.empty());
    QVERIFY(!s.box.isModified());
  }

  void all64BitsAreKept() {
    Box s;
    s.type("9007199254740991");
    s.press(Qt::Key_Return);
    QCOMPARE(s.value(), Index{9007199254740991});
    QVERIFY(s.box.text().remove(QRegularExpression("\\D")) == "9007199254740991");
  }

  /// An incomplete number is red at once, and an error when it is entered.
  void invalidEntryStaysRed() {
    Box s;
    s.type("12x");
    QVERIFY(s.isRed());
    QVERIFY(s.refused.back().isEmpty());
    s.press(Qt::Key_Return);
    QVERIFY(!s.refused.back().isEmpty());
    QCOMPARE(s.box.text(), QString("12x"));
    QCOMPARE(s.value(), Index{2000});
    QVERIFY(s.committed.empty());
    s.type("12");
    QVERIFY(!s.isRed() && s.refused.back().isEmpty());
  }

  void numberOutOfRangeIsReportedWhileTyping() {
    Box s;
    s.type("-3");
    QVERIFY(s.isRed());
    QVERIFY2(s.refused.back().contains("length"), qPrintable(s.refused.back()));
  }

  void escapeBringsTheValueBack() {
    Box s;
    s.type("12x");
    s.press(Qt::Key_Escape);
    QVERIFY(!s.isRed() && !s.box.isModified());
    QCOMPARE(s.box.text(), QString("2000"));
    QVERIFY(s.committed.empty());
  }

  /// Another parameter's edit sets all values of a form anew.
  void pendingEntryStaysWhileTheValueStays() {
    Box s;
    s.type("12");
    s.box.setValue(Index{2000});
    QCOMPARE(s.box.text(), QString("12"));
    s.box.setValue(Index{5});
    QCOMPARE(s.box.text(), QString("5"));
    QVERIFY(s.committed.empty());
  }

  void arrowsCommitAndStep() {
    Box s;
    s.type("50");
    s.press(Qt::Key_Up);
    QCOMPARE(s.committed, std::vector<Index>{50});
    s.press(Qt::Key_Down, Qt::ShiftModifier);
    s.press(Qt::Key_PageUp);
    s.press(Qt::Key_Up, Qt::ControlModifier);
    const std::vector<std::pair<int, Step>> wanted{
        {1, Step::fine}, {-1, Step::coarse}, {1, Step::coarse}, {1, Step::octave}};
    QVERIFY(s.stepped == wanted);
    s.type("50x");
    s.press(Qt::Key_Up);
    QCOMPARE(s.stepped.size(), std::size_t{4});
  }

  /// Without the focus the wheel belongs to the panel; small turns of a touch pad add up to a
  /// notch.
  void theWheelNeedsTheFocus() {
    Box s;
    const auto turn = [&](int angle) {
      QWheelEvent event({5, 5}, s.box.mapToGlobal(QPointF(5, 5)), {}, {0, angle}, Qt::NoButton, Qt::NoModifier,
                        Qt::NoScrollPhase, false);
      QCoreApplication::sendEvent(&s.box, &event);
      return event.isAccepted();
    };
    QVERIFY(turn(60));
    QVERIFY(s.stepped.empty());
    QVERIFY(turn(60));
    QCOMPARE(s.stepped.size(), std::size_t{1});
    s.box.clearFocus();
    QVERIFY(!turn(120));
    QCOMPARE(s.stepped.size(), std::size_t{1});
  }

  void placeholderShowsTheAutomaticValue() {
    ParameterSpec spec = length();
    spec.minimum = -1;
    spec.automatic = "q_length + past_len";
    spec.default_value = Index{-1};
    Box s(spec);
    QCOMPARE(s.box.placeholderText(), QString("auto"));
    s.box.setInForce("512");
    QCOMPARE(s.box.placeholderText(), QString("auto 512"));
    s.box.setInForce({});
    QCOMPARE(s.box.placeholderText(), QString("auto"));
  }
};

VQSCOPE_TEST(EntryBoxTest)
#include "entry_box_test.moc"
