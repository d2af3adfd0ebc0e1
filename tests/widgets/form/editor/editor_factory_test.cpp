// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/editor/value_editor.h"

#include "tests/support/test_main.h"
#include "widgets/form/control/entry_box.h"
#include "widgets/form/control/mask_text_edit.h"

#include <QCheckBox>
#include <QMenu>
#include <QTest>
#include <QToolButton>

using namespace vqscope;

namespace {

/// An editor of the spec, in a row of its own.
struct Made {
  QWidget row;
  ValueEditor* editor;

  explicit Made(const ParameterSpec& spec) : editor(makeValueEditor(spec, &row)) {}

  template <class Control>
  qsizetype count() const {
    return row.findChildren<Control*>().size();
  }
};

ParameterSpec list_spec(std::string file_filter) {
  return {.name = "list",
          .kind = ParameterKind::integer_list,
          .default_value = std::vector<Index>{},
          .maximum = 9,
          .file_filter = std::move(file_filter)};
}

ParameterSpec words(TextForm form) {
  return {.name = "words", .kind = ParameterKind::text, .default_value = std::string(), .text_form = form};
}

}  // namespace

/// Editors depend only on the spec, not on the name of a parameter.
class EditorFactoryTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void aListIsReadFromTheFilesOfItsFilter() {
    const Made with(list_spec("NumPy arrays (*.npy)"));
    QCOMPARE(with.count<QToolButton>(), 1);
    QCOMPARE(with.row.findChild<QToolButton*>()->accessibleName(), QString("list from a file"));
    QCOMPARE(Made(list_spec({})).count<QToolButton>(), 0);
  }

  void aTextIsALineOrAMask() {
    QCOMPARE(Made(words(TextForm::line)).count<MaskTextEdit>(), 0);
    QCOMPARE(Made(words(TextForm::line)).count<EntryBox>(), 1);
    QCOMPARE(Made(words(TextForm::mask)).count<MaskTextEdit>(), 1);
  }

  /// A text with choices offers them, and takes others too.
  void aTextOffersItsChoices() {
    ParameterSpec spec = words(TextForm::line);
    QCOMPARE(Made(spec).count<QMenu>(), 0);
    spec.choices = {{"pair", ""}, {"causal", ""}};
    const Made made(spec);
    const auto* menu = made.row.findChild<QMenu*>();
    QVERIFY(menu && menu->actions().size() == 2);
    std::string chosen;
    QObject::connect(made.editor, &ValueEditor::edited,
                     [&](const ParameterValue& value, bool) { chosen = std::get<std::string>(value); });
    menu->actions()[1]->trigger();
    QCOMPARE(chosen, std::string("causal"));
  }

  void everyKindHasAnEditor() {
    const std::vector<ParameterSpec> all{
        {.name = "integer", .maximum = 9},
        {.name = "real", .kind = ParameterKind::real, .default_value = 0.0, .maximum = 9},
        {.name = "boolean", .kind = ParameterKind::boolean, .default_value = false},
        {.name = "choice", .kind = ParameterKind::choice, .default_value = std::string("a"), .choices = {{"a", {}}}},
        {.name = "set",
         .kind = ParameterKind::choice_set,
         .default_value = std::vector<std::string>{},
         .choices = {{"a", {}}}},
        list_spec({}),
        {.name = "reals", .kind = ParameterKind::real_list, .default_value = std::vector<double>{}, .maximum = 9},
        words(TextForm::line),
        {.name = "tensor", .kind = ParameterKind::tensor, .default_value = std::string()}};
    for (const auto& spec : all) {
      const Made made(spec);
      QVERIFY2(made.editor && made.editor->field(), spec.name.c_str());
      made.editor->setValue(spec.default_value);
    }
  }

  void editEmitsASignal() {
    const Made made({.name = "flag", .kind = ParameterKind::boolean, .default_value = false});
    std::vector<bool> values;
    QObject::connect(made.editor, &ValueEditor::edited, made.editor, [&](const ParameterValue& value, bool finished) {
      if (finished) values.push_back(std::get<bool>(value));
    });
    made.editor->setValue(true);
    made.row.findChild<QCheckBox*>()->click();
    QCOMPARE(values, std::vector<bool>{false});
  }
};

VQSCOPE_TEST(EditorFactoryTest)
#include "editor_factory_test.moc"
