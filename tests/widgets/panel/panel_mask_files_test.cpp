// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/registry.h"
#include "core/mask/preset/presets.h"
#include "tests/support/hands.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"
#include "tests/widgets/panel/shown_panel.h"
#include "widgets/import/tensor_dialog.h"
#include "widgets/mask/source/mask_source.h"
#include "widgets/theme/palette.h"

#include <QDoubleSpinBox>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>

#include <array>

using namespace vqscope;
using namespace vqscope::test;

/// Files of masks in the panel of the page of masks.
class PanelMaskFilesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() { applyTheme(*qApp, Theme::light); }

  void filesBecomeTheMaskOfTheChosenSide() {
    QTemporaryDir folder;
    const auto written = [&](const char* name, const QByteArray& bytes) { return writtenFile(folder, name, bytes); };
    ShownPanel s("masks");
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
    ShownPanel s("masks");
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
    ShownPanel s("masks");
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
    ShownPanel s("masks");
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

  /// Some methods with a parameter named mask choose a preset, and some have a text of their own.
  void onlyAPresetIsOfferedAsText() {
    int offered = 0;
    for (const auto& info : page_infos()) {
      ShownPanel s(info.id.c_str());
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
};

VQSCOPE_TEST(PanelMaskFilesTest)
#include "panel_mask_files_test.moc"
