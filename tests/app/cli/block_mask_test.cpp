// SPDX-License-Identifier: GPL-3.0-or-later
// `vqscope export block_mask`.
#include "core/io/npy/npy_writer.h"
#include "core/io/tensor/tensor_file.h"
#include "tests/app/program.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QTest>

#include <array>

using namespace vqscope;
using namespace vqscope::test;

class BlockMaskTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void presetsAndTexts() {
    QCOMPARE(exported({"--set", "q_length=10", "--set", "block_size=4"}, "a.npz"), QByteArray());
    QCOMPARE(numbersOf("a.npz:kv_num_blocks"), (std::vector<Index>{1, 1, 3}));
    QCOMPARE(numbersOf("a.npz:kv_indices"), (std::vector<Index>{0, 0, 0, 1, 0, 0, 0, 1, 2}));
    write("m.py", "def mask_mod(b, h, q_idx, kv_idx):\n    return q_idx - kv_idx < n\n");
    QCOMPARE(exported({"--mask", "m.py", "--set", "n=2", "--set", "q_length=8", "--set", "block_size=4", "--set",
                       "kv_block_size=2", "--set", "trim=false"},
                      "b.safetensors"),
             QByteArray());
    QCOMPARE(numbersOf("b.safetensors:full_kv_num_blocks"), (std::vector<Index>{3, 1}));
    QCOMPARE(numbersOf("b.safetensors:full_kv_indices"), (std::vector<Index>{1, 2, 3, 0, 3, 0, 0, 0}));
    QCOMPARE(numbersOf("b.safetensors:block_size"), (std::vector<Index>{4, 2}));
  }

  void samplesAndHeads() {
    const QByteArray all(4, 1);
    const QByteArray causal("\1\0\1\1", 4);
    write("m.npy",
          QByteArray::fromStdString(npy_header("|b1", std::array<Index, 4>{2, 2, 2, 2})) + causal + all + all + causal);
    QVERIFY(exported({"--mask", "m.npy", "--set", "block_size=2"}, "c.npz").contains("2 samples"));
    QCOMPARE(numbersOf("c.npz:full_kv_num_blocks"), (std::vector<Index>{0, 1, 1, 0}));
    exported({"--mask", "m.npy", "--set", "block_size=2", "--batch", "1", "--head", "0"}, "d.npz");
    QCOMPARE(numbersOf("d.npz:full_kv_num_blocks"), (std::vector<Index>{1}));
    write("padding.npy",
          QByteArray::fromStdString(npy_header("|b1", std::array<Index, 2>{2, 4})) + QByteArray("\1\1\1\1\1\1\0\0", 8));
    exported({"--array", "attention_mask=padding.npy", "--set", "block_size=2"}, "e.npz");
    QCOMPARE(numbersOf("e.npz:full_kv_num_blocks"), (std::vector<Index>{0, 1, 0, 1}));
  }

  void refusals_data() {
    addRefusals({{{"export", "block_mask", "--out", "no.npy"},
                  "block_mask is written to .npz or .safetensors, no.npy was given"},
                 {{"export", "block_mask", "--set", "kv_block_size=70000", "--out", "no.npz"},
                  "kv_block_size is 70000 but must be an integer from 0 to 65536"},
                 {{"export", "block_mask", "--set", "q_lenght=4", "--out", "no.npz"},
                  "unknown parameter q_lenght of block_mask; did you mean q_length?"},
                 {{"export", "block_mask", "--rows", "0:2", "--out", "no.npz"},
                  "--rows is not for block_mask, which writes lists of blocks"},
                 {{"export", "block_mask", "--set", "q_length=2M", "--set", "block_size=16", "--out", "no.npz"},
                  "no.npz would have about 128 GiB, more than the limit of 2 GiB; use larger blocks"}});
  }
  void refusals() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, message);
    compareRefused(runProgram(m_folder, arguments), message);
    QVERIFY(!namesIn(m_folder).contains("no.npz"));
  }

  void itIsListed() {
    QVERIFY(runProgram(m_folder, {"list"}).out.contains("\nblock_mask "));
    QVERIFY(runProgram(m_folder, {"list", "block_mask"}).out.contains("    --out FILE.npz\n"));
  }

 private:
  /// What it says on stderr.
  QByteArray exported(const QStringList& arguments, const QString& file) {
    const auto outcome =
        runProgram(m_folder, QStringList{"export", "block_mask"} + arguments + QStringList{"--out", file});
    return outcome.status == 0 ? outcome.err : "failed: " + outcome.err;
  }

  std::vector<Index> numbersOf(const std::string& name) {
    const auto tensor = open_tensor(m_folder.path().toStdString() + "/" + name, TensorUse::cells);
    return tensor ? read_values<Index>(*tensor, 1000).value() : std::vector<Index>{-1};
  }

  void write(const QString& name, const QByteArray& bytes) {
    QVERIFY(writtenFile(m_folder, name, bytes).endsWith(name));
  }

  QTemporaryDir m_folder;
};

VQSCOPE_TEST(BlockMaskTest)
#include "block_mask_test.moc"
