// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/editor/choice_editors.h"

#include "tests/support/test_main.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QTest>
#include <QWheelEvent>

using namespace vqscope;

namespace {

ParameterSpec choice(std::vector<Choice> choices, ParameterKind kind = ParameterKind::choice) {
  ParameterSpec spec{.name = "which", .help = "Which.", .kind = kind};
  if (kind == ParameterKind::choice_set)
    spec.default_value = std::vector<std::string>();
  else
    spec.default_value = choices.front().id;
  spec.choices = std::move(choices);
  return spec;
}

const std::vector<Choice> few{{"on", "It is on."}, {"off", "It is off."}};

/// An editor in its row, and its signals.
template <class Editor>
struct Row {
  QWidget row;
  Editor editor;
  std::vector<ParameterValue> edits;

  explicit Row(const ParameterSpec& spec) : editor(spec, &row) {
    QObject::connect(&editor, &ValueEditor::edited, &editor, [this](const ParameterValue& value, bool finished) {
      QVERIFY(finished);
      edits.push_back(value);
    });
  }
  QList<QAbstractButton*> buttons() const { return row.template findChildren<QAbstractButton*>(); }
};

using Ids = std::vector<std::string>;

}  // namespace

class ChoiceEditorsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void comboEmitsTheChosenValue() {
    Row<ComboEditor> s(choice(few));
    auto* box = qobject_cast<QComboBox*>(s.editor.field());
    s.editor.setValue(std::string("off"));
    QCOMPARE(box->currentText(), QString("off"));
    QVERIFY(s.edits.empty());
    box->setCurrentIndex(0);
    QCOMPARE(s.edits, std::vector<ParameterValue>{std::string("on")});
    QCOMPARE(box->itemData(1, Qt::ToolTipRole).toString(), QString("It is off."));
  }

  /// Beside the label where there is room, beneath it where a choice is long.
  void longChoiceIsPlacedBelow() {
    const Row<ComboEditor> narrow(choice(few));
    QVERIFY(narrow.editor.beside() && !narrow.editor.beneath());
    const Row<ComboEditor> wide(choice({{"on", ""}, {"a choice of many words that has no room", ""}}));
    QVERIFY(!wide.editor.beside() && wide.editor.beneath());
  }

  void wheelScrollsThePanelWithoutTheFocus() {
    Row<ComboEditor> s(choice(few));
    auto* box = s.editor.field();
    QWheelEvent event({5, 5}, {5, 5}, {}, {0, -120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(box, &event);
    QVERIFY(!event.isAccepted() && s.edits.empty());
  }

  void segmentsFitTwoOrThreeShortChoices() {
    const QWidget row;
    QVERIFY(SegmentEditor::fits(choice(few), &row));
    QVERIFY(!SegmentEditor::fits(choice({{"on", ""}}), &row));
    QVERIFY(!SegmentEditor::fits(choice({{"a", ""}, {"b", ""}, {"c", ""}, {"d", ""}}), &row));
    QVERIFY(!SegmentEditor::fits(choice({{"on", ""}, {"a choice of many words", ""}}), &row));
  }

  void exactlyOneSegmentIsChecked() {
    Row<SegmentEditor> s(choice(few));
    s.editor.setValue(std::string("off"));
    QVERIFY(s.edits.empty());
    QVERIFY(!s.buttons()[0]->isChecked() && s.buttons()[1]->isChecked());
    s.buttons()[0]->click();
    QCOMPARE(s.edits, std::vector<ParameterValue>{std::string("on")});
    QVERIFY(!s.buttons()[1]->isChecked());
    s.buttons()[0]->click();  // again: it stays
    QCOMPARE(s.edits.size(), std::size_t{1});
    QVERIFY(s.buttons()[0]->isChecked());
  }

  void chipsAreASetInTheOrderOfTheChoices() {
    Row<ChipEditor> s(choice({{"a", ""}, {"b", ""}, {"c", ""}}, ParameterKind::choice_set));
    s.editor.setValue(Ids{"c"});
    QVERIFY(s.edits.empty());
    s.buttons()[0]->click();
    s.buttons()[2]->click();
    s.buttons()[0]->click();
    QCOMPARE(s.edits, (std::vector<ParameterValue>{Ids{"a", "c"}, Ids{"a"}, Ids{}}));
  }

  /// A term's name may be a whole expression; the form does not widen for it, and shows it in the
  /// tool tip.
  void longChipsAreCut() {
    const std::string expression = "q_idx - kv_idx < window and document_id[q_idx] == document_id[kv_idx]";
    Row<ChipEditor> s(choice({{expression, "A term."}}, ParameterKind::choice_set));
    QVERIFY(s.buttons()[0]->text().size() < static_cast<qsizetype>(expression.size()));
    QCOMPARE(s.buttons()[0]->toolTip(), QString::fromStdString(expression + ": A term."));
    s.buttons()[0]->click();
    QCOMPARE(s.edits, std::vector<ParameterValue>{Ids{expression}});
  }

  void emptyChipsAreValid() {
    Row<ChipEditor> s(choice({}, ParameterKind::choice_set));
    s.editor.setValue(Ids{});
    QVERIFY(s.editor.field() && s.edits.empty());
  }
};

VQSCOPE_TEST(ChoiceEditorsTest)
#include "choice_editors_test.moc"
