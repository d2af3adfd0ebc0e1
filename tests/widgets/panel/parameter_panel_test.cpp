// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panel/parameter_panel.h"
#include "tests/support/needs_lab.h"
#include "widgets/import/tensor_dialog.h"

#include "core/mask/preset/presets.h"
#include "tests/support/hands.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"
#include "tests/widgets/view/view_cases.h"
#include "widgets/form/control/thin_slider.h"
#include "widgets/form/editor/number_editor.h"
#include "widgets/form/parameter_form.h"
#include "widgets/mask/source/mask_source.h"
#include "widgets/theme/palette.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>

#include <array>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// A page's panel on screen; as in the window it follows the workbench.
struct Shown {
  Workbench bench;
  ParameterPanel panel;
  std::string page;

  void compare(CompareMode mode) {
    ShownPage next = state();
    if (next.compare == CompareMode::none) next.other = next.values;
    next.compare = mode;
    QVERIFY(bench.edit("compare", next));
    panel.sync();
  }
  explicit Shown(const char* id = "buckets") : panel(bench, *find_page_info(id)), page(id) {
    QObject::connect(&bench, &Workbench::changed, &panel, &ParameterPanel::sync);
    panel.resize(300, 1200);
    panel.show();
    panel.activateWindow();
    [[maybe_unused]] const bool active = QTest::qWaitForWindowActive(&panel);
  }

  const ShownPage& state() const { return bench.page(page); }
  template <class Widget>
  Widget* part(const char* name) {
    return panel.findChild<Widget*>(name);
  }
  void type(const char* name, const char* text) {
    auto* box = part<QLineEdit>(name);
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, text);
    QTest::keyClick(box, Qt::Key_Return);
  }
  QString sentence(const char* name) {
    auto* label = part<QLabel>((std::string(name) + ".error").c_str());
    return label && label->isVisible() ? label->text() : QString();
  }
  /// The choice with this text among its items, taken as a person takes it.
  void choose(const QString& text) {
    for (auto* box : panel.findChildren<QComboBox*>())
      if (const int index = box->findText(text); index >= 0) {
        box->setCurrentIndex(index);
        emit box->activated(index);
        return;
      }
    QFAIL(qPrintable("no choice " + text));
  }
  /// The list of the page's methods, where they do not fit beside each other.
  QComboBox* methodList() {
    for (auto* each : panel.findChildren<QComboBox*>())
      if (each->accessibleName() == "Show") return each;
    return nullptr;
  }
  QPushButton* button(const QString& text) {
    for (auto* each : panel.findChildren<QPushButton*>())
      if (each->text() == text) return each;
    return nullptr;
  }
};

}  // namespace

class ParameterPanelTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// However many blocks come in, undo takes all of them back at once.
  void aPlayIsOneStepOfUndo() {
    NEEDS_LAB();
    Shown s("vq");
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
    Shown s;
    s.type("q_length", "2^21");
    QCOMPARE(s.state().values.integer("q_length"), Index{2097152});
    QCOMPARE(s.bench.undoStack().count(), 1);
    QVERIFY(s.bench.undoStack().undoText().contains("q_length"));
    s.bench.undoStack().undo();
    QCOMPARE(s.state().values.integer("q_length"), Index{512});
    QCOMPARE(s.part<QLineEdit>("q_length")->text(), QString("512"));
  }

  void invalidEditShowsErrorAndKeepsSession() {
    Shown s;
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
    Shown s;
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
    Shown s;
    s.type("num_buckets", "31");
    s.type("q_length", "100");
    QCOMPARE(s.sentence("num_buckets"), QString("num_buckets is 31 but must be even when bidirectional"));
    QCOMPARE(s.state().values.integer("num_buckets"), Index{32});
  }

  void undoClearsTheError() {
    Shown s;
    s.type("q_length", "100");
    s.type("num_buckets", "31");
    s.bench.undoStack().undo();
    QCOMPARE(s.sentence("num_buckets"), QString());
    QCOMPARE(s.part<QLineEdit>("num_buckets")->text(), QString("32"));
    QCOMPARE(s.part<QLineEdit>("q_length")->text(), QString("512"));
  }

  void aDragIsOneStep() {
    Shown s;
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
    Shown s;
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
    Shown s("masks");
    auto* second = s.button(QString::fromStdString(find_method("blocks") ? find_method("blocks")->title : "Blocks"));
    QVERIFY2(second, "no button for the second method");
    second->click();
    QCOMPARE(s.state().method, find_page_info("masks")->choices()[1]);
    s.bench.undoStack().undo();
    QVERIFY(!second->isChecked());
    if (find_page_info("experiments")) QVERIFY(Shown("experiments").methodList());
    Shown positions("rotary");
    QVERIFY(!positions.methodList());
    for (const auto& id : find_page_info("rotary")->choices())
      for (auto* button : positions.panel.findChildren<QPushButton*>())
        QVERIFY2(!find_method(id)->title.ends_with(button->text().toStdString()), id.c_str());
  }

  void theOtherSideIsACopyToChange() {
    Shown s;
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
    Shown s("masks");
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
    Shown s;
    s.compare(CompareMode::side_by_side);
    s.type("q_length", "300");
    QCOMPARE(s.state().values.integer("q_length"), Index{300});
    QCOMPARE(s.state().other.integer("q_length"), Index{300});
  }

  void filesBecomeTheMaskOfTheChosenSide() {
    QTemporaryDir folder;
    const auto written = [&](const char* name, const QByteArray& bytes) { return writtenFile(folder, name, bytes); };
    Shown s("masks");
    QSignalSpy notices(&s.panel, &ParameterPanel::notified);
    s.panel.maskSource()->importFile(written("a.py", "return kv_idx <= q_idx"));
    QTRY_COMPARE(notices.count(), 1);
    QCOMPARE(notices.takeFirst(), (QVariantList{"a.py: a mask written as code", false}));
    QCOMPARE(s.state().values.text("mask_text"), std::string("return kv_idx <= q_idx"));
    QCOMPARE(s.bench.undoStack().count(), 1);
    s.compare(CompareMode::side_by_side);
    s.panel.maskSource()->importFile(written("b.csv", "1,0,0\n1,1,0\n1,1,1\n"));
    QTRY_COMPARE(notices.count(), 1);
    QCOMPARE(notices.takeFirst(),
             (QVariantList{"b.csv: whole numbers, 0 and 1: 1 is visible, because no key after its query is 1", false}));
    QCOMPARE(s.state().other.choice("mask"), std::string("dump"));
    QCOMPARE(s.state().values.choice("mask"), std::string("custom"));
    QVERIFY2(s.state().values.integer("q_length") == 3, "both sides have the imported mask's shape");
    QVERIFY2(!s.button("Edit as text")->isVisible(), "cells have no text until they are recognised");
    QCOMPARE(s.bench.undoStack().count(), 3);
    s.bench.undoStack().undo();
    QCOMPARE(s.state().values.integer("q_length"), Index{512});
    s.panel.maskSource()->importFile(written("c.csv", "1,x\n"));
    QTRY_COMPARE(notices.count(), 1);
    QCOMPARE(notices.first(),
             (QVariantList{folder.filePath("c.csv") + ": line 1, column 2: \"x\", expected a number", true}));
  }

  /// Also a file whose mask is the one that is shown.
  void importedMaskDiscardsThePendingEntry() {
    QTemporaryDir folder;
    const QString file = writtenFile(folder, "a.py", "return key_valid");
    Shown s("masks");
    QSignalSpy notices(&s.panel, &ParameterPanel::notified);
    QSignalSpy drafts(&s.panel, &ParameterPanel::draftChanged);
    s.panel.maskSource()->importFile(file);
    QTRY_COMPARE(notices.count(), 1);
    s.type("padding", "512");
    QVERIFY(!s.sentence("padding").isEmpty());
    QCOMPARE(drafts.count(), 1);
    s.panel.maskSource()->importFile(writtenFile(folder, "b.csv", "1,x\n"));
    QTRY_COMPARE(notices.count(), 2);
    QVERIFY2(!s.sentence("padding").isEmpty() && drafts.count() == 1, "a file that cannot be read changes nothing");
    s.panel.maskSource()->importFile(file);
    QTRY_COMPARE(notices.count(), 3);
    QCOMPARE(s.sentence("padding"), QString());
    QVERIFY(s.part<QLineEdit>("padding")->text() != "512");
    QCOMPARE(drafts.count(), 2);
    QVERIFY(drafts.last().first().toString().isEmpty());
  }

  void aTensorOfAFileIsChosen() {
    QTemporaryDir folder;
    const std::string header = R"({"causal":{"dtype":"BOOL","shape":[2,2],"data_offsets":[0,4]},)"
                               R"("heads":{"dtype":"U8","shape":[3,2,2],"data_offsets":[4,16]}})";
    QByteArray bytes(8, '\0');
    bytes[0] = static_cast<char>(header.size());
    bytes += QByteArray::fromStdString(header) + QByteArray(
                                                     "\1\0\1\1"
                                                     "\1\0\0\1"
                                                     "\1\0\1\1"
                                                     "\1\1\1\1",
                                                     16);
    const QString path = writtenFile(folder, "m.safetensors", bytes);
    Shown s("masks");
    QSignalSpy notices(&s.panel, &ParameterPanel::notified);
    auto* source = s.panel.maskSource();
    // The dialog opens on the first tensor; Enter takes the one that is chosen by then.
    whenModal<TensorDialog>([](TensorDialog& dialog) {
      QCOMPARE(dialog.findChildren<QSpinBox*>().size(), qsizetype{0});
      dialog.select({dialog.name().file, "heads", {}});
      dialog.accept();
    });
    source->importFile(path);
    QTRY_COMPARE(notices.count(), 1);
    QVERIFY2(notices.first().first().toString().startsWith("m.safetensors:heads [3, 2, 2]: "),
             qPrintable(notices.first().first().toString()));
    QVERIFY(source->findChild<QSpinBox*>("batch")->isVisibleTo(&s.panel));
    whenModal<TensorDialog>([](TensorDialog& dialog) { dialog.reject(); });
    source->importFile(path);
    QTRY_VERIFY(!source->isBusy());
    QCOMPARE(notices.count(), 1);
    source->importFile(path + ":causal");
    QTRY_COMPARE(notices.count(), 2);
    QCOMPARE(s.state().values.choice("mask"), std::string("dump"));
  }

  /// A file of several masks, of numbers: another plane and another threshold are read from it,
  /// without choosing it again.
  void aFileIsReadInAnotherWay() {
    QTemporaryDir folder;
    // [batch 2, head 1, q 2, kv 2] float32: 0 and -1e9, -3 among them in the second
    QByteArray bytes = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1, 2, 2), }";
    bytes = QByteArray("\x93NUMPY\x01\x00\x76\x00", 10) + bytes + QByteArray(117 - bytes.size(), ' ') + '\n';
    const std::array<float, 8> cells{0, -1e9F, 0, 0, 0, -1e9F, -3, 0};
    bytes += QByteArray(reinterpret_cast<const char*>(cells.data()), sizeof cells);
    const QString path = writtenFile(folder, "planes.npy", bytes);
    Shown s("masks");
    auto* source = s.panel.maskSource();
    source->importFile(path);
    QTRY_COMPARE(s.state().values.choice("mask"), std::string("dump"));
    const auto seen = [&] {
      int count = 0;
      const auto mask = *make_preset_mask(carried_values(*find_method("visibility"), s.state().values));
      for (Index q = 0; q < 2; ++q)
        for (Index kv = 0; kv < 2; ++kv) count += mask->visible(q, kv) ? 1 : 0;
      return count;
    };
    QCOMPARE(seen(), 3);
    auto* batch = source->findChild<QSpinBox*>("batch");
    QVERIFY(batch->isVisibleTo(&s.panel));
    QVERIFY(!source->findChild<QSpinBox*>("head")->isVisibleTo(&s.panel));
    batch->setValue(1);
    QTRY_VERIFY_WITH_TIMEOUT(!source->isBusy(), 120000);
    auto* threshold = source->findChild<QDoubleSpinBox*>("threshold");
    QVERIFY(threshold->isVisibleTo(&s.panel));
    threshold->setValue(-2);
    QTRY_COMPARE(seen(), 2);
    threshold->setValue(-5);
    QTRY_COMPARE(seen(), 3);
    s.bench.undoStack().setIndex(0);
    QVERIFY2(!batch->isVisibleTo(&s.panel), "the mask of the file is gone");
  }

  /// The form is made anew while the value is taken back.
  void aResetThatBringsOtherParameters() {
    Shown s("masks");
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
    Shown s("vq");
    QCOMPARE(s.state().method, std::string("vq_weights"));
    QVERIFY(!s.part<QWidget>("weights"));
    QVERIFY(s.part<QWidget>("n_code"));
    s.compare(CompareMode::side_by_side);
    QVERIFY(s.part<QWidget>("weights"));
    s.compare(CompareMode::none);
    QTRY_VERIFY(!s.part<QWidget>("weights"));
  }

  /// Some methods with a parameter named mask choose a preset, and some have a text of their own.
  void onlyAPresetIsOfferedAsText() {
    int offered = 0;
    for (const auto& info : page_infos()) {
      Shown s(info.id.c_str());
      for (const auto& id : info.choices()) {
        ShownPage next = s.state();
        next.method = id;
        QVERIFY(s.bench.edit("method", next));
        auto* asText = s.button("Edit as text");
        if (!asText || !asText->isVisible()) continue;
        ++offered;
        asText->click();
        QCOMPARE(s.state().values.choice("mask"), std::string(text_mask_id));
        s.bench.undoStack().undo();
      }
    }
    QVERIFY(offered > 1);
  }

  void everyPageHasAPanel() {
    for (const auto& info : page_infos()) {
      Shown s(info.id.c_str());
      for (const auto& spec : shown_parameters(s.state().method, s.state().values))
        if (s.state().method != "vq_weights" || spec.name != "weights")
          QVERIFY2(s.part<QWidget>(spec.name.c_str()), spec.name.c_str());
    }
  }
};

VQSCOPE_TEST(ParameterPanelTest)
#include "parameter_panel_test.moc"
