// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/import/mask_import.h"

#include "core/mask/methods.h"
#include "core/mask/preset/presets.h"
#include "core/method/method_list.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QTemporaryDir>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class MaskImportTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void filesOfMasks() {
    for (const char* name : {"a.py", "a.NPY", "a.csv", "a.tsv", "a.txt", "a.png"}) QVERIFY(isMaskFile(name));
    for (const char* name : {"a.vqscope", "a", "a.json"}) QVERIFY(!isMaskFile(name));
  }

  void textsAndCells() {
    const auto text = importMask(writtenFile(m_folder, "a.py", "kv_idx <= q_idx\n"));
    QVERIFY(text && text->isText());
    QVERIFY(importMask(writtenFile(m_folder, "text.txt", "# mine\nkv_idx <= q_idx\n"))->isText());
    const auto cells = importMask(writtenFile(m_folder, "cells.txt", "# numpy.savetxt\n1 0\n1 1\n"));
    QVERIFY(cells && !cells->isText());
    COMPARE_TEXT(cells->sentence, "whole numbers, 0 and 1: 1 is visible, because no key after its query is 1");
  }

  void asValues() {
    const auto defaults = default_values(find_method(mask_methods(), "visibility")->parameters);
    const auto text = withImport(defaults, *importMask(writtenFile(m_folder, "a.py", "kv_idx <= q_idx\n"))).value();
    COMPARE_TEXT(text.choice("mask"), "custom");
    COMPARE_TEXT(text.text("mask_text"), "kv_idx <= q_idx\n");
    QCOMPARE(text.integer("q_length"), defaults.integer("q_length"));
    const auto cells = withImport(defaults, *importMask(writtenFile(m_folder, "a.csv", "1,0,0\n1,1,0\n"))).value();
    COMPARE_TEXT(cells.choice("mask"), "dump");
    QCOMPARE(cells.integers("mask_rows"), (std::vector<Index>{1, 1, 0, 1, 1, 1, 0, 2}));
    QCOMPARE(cells.integer("q_length"), Index{2});
    QCOMPARE(cells.integer("kv_length"), Index{3});
    QVERIFY(make_preset_mask(cells));
  }

  void faults() {
    const QString missing = m_folder.filePath("none.py");
    COMPARE_ERROR(importMask(missing), "cannot read " + missing.toStdString() + ": No such file or directory");
    const QString folder = m_folder.path();
    COMPARE_ERROR(importMask(folder), "cannot read " + folder.toStdString() + ": it is a directory");
    const QString large = writtenFile(m_folder, "large.py", QByteArray((1 << 20) + 1, 'a'));
    COMPARE_ERROR(importMask(large), large.toStdString() + " has more than 1 MiB, the limit for the text of a mask");
  }

 private:
  QTemporaryDir m_folder;
};

VQSCOPE_TEST(MaskImportTest)
#include "mask_import_test.moc"
