// SPDX-License-Identifier: GPL-3.0-or-later
// Statements of the source documents that the program once got wrong, checked with the shipped program.
#include "tests/app/program.h"
#include "tests/core/io/npy/npy_bytes.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class SourceDocumentsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() {
    std::vector<float> additive;
    std::string prefix;
    for (int q = 0; q < 8; ++q)
      for (int k = 0; k < 8; ++k) {
        additive.push_back(k <= q ? 0 : -1e30F);
        prefix += k <= q || k < 3 ? '\1' : '\0';
      }
    write("additive.npy", npy_array("<f4", {8, 8}, bytes_of_values(additive)));
    write("prefix.npy", npy_array("|b1", {8, 8}, prefix));
    write("causal.py", "kv_idx <= q_idx\n");
    write("gpt2.json", "{\"model_type\": \"gpt2\", \"n_positions\": 1024, \"n_embd\": 768, \"n_head\": 12}");
    write("bert.json",
          "{\"model_type\": \"bert\", \"position_embedding_type\": \"absolute\", \"hidden_size\": 768, "
          "\"num_attention_heads\": 12, \"max_position_embeddings\": 512}");
  }

  /// Masks and positional encoding: a position that sees the future has no next-token loss.
  void positionsThatSeeTheirTargetHaveNoLoss() {
    const auto all = check({"--set", "mask=prefix_lm", "--set", "prefix_length=3", "--set", "q_length=6", "--array",
                            "labels=1,2,3,4,5,6"});
    QVERIFY2(all.startsWith("error: label_leak: query 0 sees key 1, which is its own label"), all.constData());
    const auto behind = check({"--set", "mask=prefix_lm", "--set", "prefix_length=3", "--set", "q_length=6", "--array",
                               "labels=-100,-100,3,4,5,6", "--set", "labels_are=aligned"});
    QVERIFY2(behind.startsWith("0 errors, 0 warnings"), behind.constData());
  }

  /// -1e30 of a file is -inf in float16, and the file's own number is what a row shows.
  void numbersOfAFileAreThoseOfItsType() {
    const auto half = check({"--mask", "additive.npy", "--set", "dtype=float16"});
    QVERIFY2(half.startsWith("error: masked_value: -1.0000000150474662e+30 is -inf in float16"), half.constData());
    QVERIFY(check({"--mask", "additive.npy", "--set", "dtype=bfloat16"}).startsWith("0 errors, 0 warnings"));
    const auto row = run({"row", "2", "--mask", "additive.npy", "--dtype", "float16"}).out;
    QVERIFY2(row.contains("The file has -1e+30 where a key is masked, which is -inf in float16."), row.constData());
    QVERIFY2(row.contains("-inf") && !row.contains("-65504"), row.constData());
  }

  /// A kernel without an attn_mask takes is_causal alone.
  void isCausalWithoutAMaskIsRight() {
    const QStringList causal{"--set", "mask=causal", "--set", "is_causal=true", "--set"};
    QVERIFY(check(causal + QStringList{"dialect=flash_attention"}).startsWith("0 errors, 0 warnings"));
    QVERIFY(check(causal + QStringList{"dialect=sdpa"}).contains("double_masking"));
  }

  void decodeMaskThatRestartsAtZeroIsFound() {
    const auto found =
        check({"--mask", "causal.py", "--set", "q_length=1", "--set", "past_len=7", "--objective", "causal"});
    QVERIFY2(found.startsWith("error: key_hidden: row 0 does not see key 1"), found.constData());
    QVERIFY2(found.contains("7 cells in all"), found.constData());
  }

  void labelsAreAlignedOrShifted() {
    const auto packed = [&](const char* labels, const char* are) {
      return check({"--set", "mask=packed", "--set", "q_length=6", "--set", "document_lengths=3,3", "--array",
                    QStringLiteral("labels=") + QLatin1String(labels), "--set",
                    QStringLiteral("labels_are=") + QLatin1String(are)});
    };
    QVERIFY(packed("10,11,-100,12,13,-100", "aligned").startsWith("0 errors, 0 warnings"));
    const auto leak = packed("11,12,13,14,15,-100", "aligned");
    QVERIFY2(leak.startsWith("error: label_leak: query 2 has the first token of the next document as its label"),
             leak.constData());
  }

  void prefixLengthAppliesToAnyMask() {
    const QStringList prefix{"--mask", "prefix.npy", "--objective", "prefix", "--set", "dialect=sdpa"};
    QVERIFY(check(prefix + QStringList{"--set", "prefix_length=3"}).startsWith("0 errors, 0 warnings; "));
    const auto wrong = check(prefix + QStringList{"--set", "prefix_length=2"});
    QVERIFY2(wrong.startsWith("error: future_visible: "), wrong.constData());
    QVERIFY(check(prefix).startsWith("question: future_visible: the objective is prefix: set prefix_length"));
  }

  void learnedTableCannotSimplyBeIncreased() {
    const auto gpt = run({"config", "gpt2.json"}).out;
    QVERIFY2(gpt.contains("n_positions is 1024, the rows of a learned table: it cannot simply be increased"),
             gpt.constData());
    QVERIFY2(gpt.contains("read  n_positions = 1024"), gpt.constData());
    const auto bert = run({"config", "bert.json"}).out;
    QVERIFY2(bert.contains("read  position_embedding_type") && bert.contains("read  max_position_embeddings"),
             bert.constData());
    QVERIFY2(bert.contains("it cannot simply be increased: position 512 has no row"), bert.constData());
  }

  /// The score of ones with themselves is head_dim; the sum over pairs is half of it, as its help
  /// states.
  void ropeScoreFieldIsHalfTheScoreOfOnes() {
    QCOMPARE(
        run({"export", "rope_score_field", "--set", "q_length=1", "--set", "head_dim=128", "--out", "s.csv"}).status,
        0);
    QVERIFY2(contentOf(m_folder, "s.csv").endsWith("\n0,64\n"), contentOf(m_folder, "s.csv").constData());
    for (const char* method : {"rope_score_field", "xpos_score", "rerope_score"})
      QVERIFY2(run({"list", method}).out.contains("q · k / 2 for q = k = ones"), method);
  }

 private:
  Outcome run(const QStringList& arguments) const { return runProgram(m_folder, arguments); }
  QByteArray check(const QStringList& arguments) const { return run(QStringList{"check"} + arguments).out; }

  void write(const char* name, const std::string& bytes) const {
    const QString path = writtenFile(m_folder, QLatin1String(name), QByteArray::fromStdString(bytes));
    QVERIFY2(!path.startsWith(QLatin1String("cannot")), qPrintable(path));
  }

  QTemporaryDir m_folder;
};

VQSCOPE_TEST(SourceDocumentsTest)
#include "source_documents_test.moc"
