// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/preset/mask_import.h"

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
  void files_of_masks() {
    for (const char* name : {"a.py", "a.NPY", "a.csv", "a.tsv", "a.txt", "a.png"}) QVERIFY(is_mask_file(name));
    for (const char* name : {"a.vqscope", "a", "a.json"}) QVERIFY(!is_mask_file(name));
  }

  void texts_and_cells() {
    const auto text = import_mask(written("a.py", "kv_idx <= q_idx\n"));
    QVERIFY(text && text->is_text());
    QVERIFY(import_mask(written("text.txt", "# mine\nkv_idx <= q_idx\n"))->is_text());
    COMPARE_TEXT(std::get<0>(import_mask(written("bom.py", "\xef\xbb\xbfkv_idx <= q_idx\n"))->mask),
                 "kv_idx <= q_idx\n");
    const auto cells = import_mask(written("cells.txt", "# numpy.savetxt\n1 0\n1 1\n"));
    QVERIFY(cells && !cells->is_text());
    COMPARE_TEXT(cells->sentence, "whole numbers, 0 and 1: 1 is visible, because no key after its query is 1");
  }

  void as_values() {
    const auto defaults = default_values(find_method(mask_methods(), "visibility")->parameters);
    const auto text = with_import(defaults, *import_mask(written("a.py", "kv_idx <= q_idx\n"))).value();
    COMPARE_TEXT(text.choice("mask"), "custom");
    COMPARE_TEXT(text.text("mask_text"), "kv_idx <= q_idx\n");
    QCOMPARE(text.integer("q_length"), defaults.integer("q_length"));
    const auto cells = with_import(defaults, *import_mask(written("a.csv", "1,0,0\n1,1,0\n"))).value();
    COMPARE_TEXT(cells.choice("mask"), "dump");
    QCOMPARE(cells.integers("mask_rows"), (std::vector<Index>{1, 1, 0, 1, 1, 1, 0, 2}));
    QCOMPARE(cells.integer("q_length"), Index{2});
    QCOMPARE(cells.integer("kv_length"), Index{3});
    QVERIFY(make_preset_mask(cells));
  }

  void faults() {
    const std::string missing = m_folder.filePath("none.py").toStdString();
    COMPARE_ERROR(import_mask(missing), "cannot read " + missing + ": No such file or directory");
    const std::string folder = m_folder.path().toStdString();
    COMPARE_ERROR(import_mask(folder), "cannot read " + folder + ": it is a directory");
    const std::string large = written("large.py", QByteArray((1 << 20) + 1, 'a'));
    COMPARE_ERROR(import_mask(large), large + " has more than 1 MiB, the limit for the text of a mask");
  }

 private:
  std::string written(const QString& name, const QByteArray& bytes) {
    return writtenFile(m_folder, name, bytes).toStdString();
  }

  QTemporaryDir m_folder;
};

VQSCOPE_TEST(MaskImportTest)
#include "mask_import_test.moc"
