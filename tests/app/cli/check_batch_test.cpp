// SPDX-License-Identifier: GPL-3.0-or-later
// `vqscope check` of files with several masks.
#include "core/io/npy/npy_writer.h"
#include "tests/app/program.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <vector>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Booleans [length, length] of a causal mask.
QByteArray causalCells(Index length) {
  QByteArray cells;
  for (Index q = 0; q < length; ++q)
    for (Index k = 0; k < length; ++k) cells.append(k <= q ? 1 : 0);
  return cells;
}

QByteArray inverted(QByteArray cells) {
  for (char& cell : cells) cell = cell ? 0 : 1;
  return cells;
}

}  // namespace

class CheckBatchTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// The third of three samples has a query without keys.
  void every_sample_is_checked() {
    QByteArray empty = causalCells(6);
    empty.replace(3 * 6, 6, QByteArray(6, 0));
    write("batch.npy", {3, 1, 6, 6}, causalCells(6) + causalCells(6) + empty);
    const auto outcome = checked({"--mask", "batch.npy"});
    QCOMPARE(outcome.status, 1);
    QVERIFY2(outcome.out.contains("error: empty_row: sample 2: row 3 sees no key"), outcome.out.constData());
    QVERIFY2(outcome.out.contains("; checked 3 of 3 samples; the file has the shape [3, 1, 6, 6], one for all heads"),
             outcome.out.constData());
    QVERIFY2(outcome.err.startsWith("vqscope: batch.npy [3, 1, 6, 6]: 3 samples, 2 different masks"),
             outcome.err.constData());
    QCOMPARE(checked({"--mask", "batch.npy", "--batch", "1"}).status, 0);
    QCOMPARE(checked({"--mask", "batch.npy", "--batch", "2"}).status, 1);
  }

  /// --batch and --head name the place of what they find.
  void a_narrowed_finding_has_its_place() {
    QByteArray empty = causalCells(6);
    empty.replace(3 * 6, 6, QByteArray(6, 0));
    write("narrow.npy", {2, 2, 6, 6}, causalCells(6) + causalCells(6) + causalCells(6) + empty);
    for (const QStringList& narrowed :
         {QStringList{"--batch", "1"}, {"--head", "1"}, {"--batch", "1", "--head", "1"}}) {
      const QStringList arguments = QStringList{"--mask", "narrow.npy"} + narrowed;
      const QJsonObject finding = json(arguments)["findings"].toArray()[0].toObject();
      QCOMPARE(finding["batch"].toInt(-1), 1);
      QCOMPARE(finding["head"].toInt(-1), 1);
      QVERIFY(checked(arguments).out.contains("sample 1, head 1: row 3 sees no key"));
    }
  }

  /// A text whose mask is an array [b, h, q, kv] says how many samples there are, and T.
  void every_sample_of_a_text_is_checked() {
    QFile file(m_folder.filePath("batch.py"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("mask = torch.ones(3, 1, 6, 6).tril().bool()\nmask[2, 0, 4] = False\n");
    file.close();
    const auto outcome = checked({"--mask", "batch.py"});
    QCOMPARE(outcome.status, 1);
    QVERIFY2(outcome.out.contains("error: empty_row: sample 2: row 4 sees no key"), outcome.out.constData());
    const QJsonObject all = json({"--mask", "batch.py"});
    QCOMPARE(all["samples"].toInt(), 3);
    QCOMPARE(all["samples_checked"].toInt(), 3);
  }

  /// Encoder masks of a batch of short samples: 2, 1 and 6 of 6 tokens.
  void short_samples_are_not_taken_for_padding() {
    QByteArray cells;
    for (const int real : {2, 1, 6})
      for (int q = 0; q < 6; ++q)
        for (int k = 0; k < 6; ++k) cells.append(k < real ? 1 : 0);
    write("short.npy", {3, 1, 6, 6}, cells);
    const auto outcome = checked({"--mask", "short.npy", "--objective", "bidirectional", "--set", "dialect=sdpa"});
    QVERIFY2(outcome.status == 0, outcome.out.constData());
    QVERIFY2(outcome.err.contains("true is visible, because in 1 of 3 masks no key after its query is true"),
             outcome.err.constData());
  }

  void json_places_findings() {
    QByteArray future = causalCells(4);
    future[1] = 1;
    write("heads.npy", {2, 2, 4, 4}, causalCells(4) + future + causalCells(4) + future);
    const QJsonObject all = json({"--mask", "heads.npy", "--objective", "causal"});
    QCOMPARE(all["samples"].toInt(), 2);
    QCOMPARE(all["samples_checked"].toInt(), 2);
    QCOMPARE(all["heads"].toInt(), 2);
    QCOMPARE(all["heads_checked"].toInt(), 2);
    QCOMPARE(all["findings"].toArray().size(), 1);
    const QJsonObject finding = all["findings"].toArray()[0].toObject();
    QVERIFY(finding["batch"].isNull());
    QCOMPARE(finding["head"].toInt(), 1);
    const QJsonObject one = json({"--mask", "heads.npy", "--objective", "causal", "--head", "0"});
    QCOMPARE(one["heads"].toInt(), 2);
    QCOMPARE(one["heads_checked"].toInt(), 1);
    QCOMPARE(one["samples_checked"].toInt(), 2);
    QVERIFY(one["findings"].toArray().isEmpty());
  }

  /// Of a file of cells, as in a batch file; a preset would hide other documents by itself.
  void sequence_ends_are_the_documents_of_cells() {
    write("causal.npy", {9, 9}, causalCells(9));
    const auto leak = runProgram(m_folder, {"check", "--mask", "causal.npy", "--array", "cu_seqlens=0,4,9"});
    QCOMPARE(leak.status, 1);
    QVERIFY2(leak.out.startsWith("error: document_leak: "), leak.out.constData());
    QCOMPARE(runProgram(m_folder, {"check", "--mask", "causal.npy", "--array", "cu_seqlens=0,9"}).status, 0);
    QVERIFY(!checked({"--array", "cu_seqlens=0,3,8", "--set", "q_length=8"}).out.contains("document_lengths"));
    QCOMPARE(json({"--array", "cu_seqlens=0,3,11"})["shape"].toArray(), (QJsonArray{11, 11}));
  }

  /// True is padding, of a file [B, 1, 1, T]: the sample without padding has no True.
  void padding_that_is_true() {
    QByteArray cells(3 * 9, 0);
    cells[9] = cells[10] = 1;
    for (int token = 5; token < 9; ++token) cells[18 + token] = 1;
    write("padding.npy", {3, 1, 1, 9}, cells);
    const auto outcome = checked({"--mask", "padding.npy", "--objective", "bidirectional"});
    QVERIFY2(outcome.status == 0, (outcome.out + outcome.err).constData());
    QVERIFY2(outcome.err.contains("false is visible"), outcome.err.constData());
    QVERIFY2(outcome.err.contains("one row for all 9 queries"), outcome.err.constData());
  }

  void indices_beyond_the_file() {
    write("three.npy", {3, 4, 4}, causalCells(4).repeated(3));
    QCOMPARE(checked({"--mask", "three.npy", "--batch", "3"}).err,
             QByteArray("vqscope: --batch is 3 but must be 0 to 2: there are 3 samples\n"));
    QCOMPARE(checked({"--mask", "three.npy", "--set", "q_length=3"}).err,
             QByteArray("vqscope: q_length is 3, but the mask three.npy has 4 queries\n"));
    QCOMPARE(checked({"--set", "q_length=8", "--batch", "0"}).status, 0);
  }

  void one_mask_has_one_sample() {
    write("one.npy", {4, 4}, causalCells(4));
    const QJsonObject one = json({"--mask", "one.npy"});
    QCOMPARE(one["samples"].toInt(), 1);
    QCOMPARE(one["heads_checked"].toInt(), 1);
    QVERIFY(!checked({"--mask", "one.npy"}).out.contains("sample"));
  }

  /// A sample without evidence is read as the others are.
  void samples_share_their_polarity() {
    const QByteArray masked = inverted(causalCells(4));
    const QByteArray padded = QByteArray("\1\0\0\0", 4).repeated(4);
    write("masked.npy", {3, 4, 4}, padded + masked + masked);
    const auto outcome = checked({"--mask", "masked.npy", "--objective", "bidirectional"});
    QVERIFY2(!outcome.out.contains("empty_row"), outcome.out.constData());
    QVERIFY2(outcome.err.contains("false is visible, because in 2 of 3 masks every key after its query is true"),
             outcome.err.constData());
    const QByteArray given = checked({"--mask", "masked.npy", "--set", "dialect=sdpa"}).out;
    QVERIFY2(
        given.contains("True is masked in masked.npy [3, 4, 4] (guessed: in 2 of 3 masks every key after its query "
                       "is true) and attends in torch SDPA"),
        given.constData());
  }

 private:
  void write(const QString& name, const std::vector<Index>& shape, const QByteArray& cells) {
    QFile file(m_folder.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(npy_header("|b1", shape)) + cells);
  }

  Outcome checked(const QStringList& arguments) { return runProgram(m_folder, QStringList{"check"} + arguments); }

  QJsonObject json(const QStringList& arguments) {
    return QJsonDocument::fromJson(checked(arguments + QStringList{"--json"}).out).object();
  }

  QTemporaryDir m_folder;
};

VQSCOPE_TEST(CheckBatchTest)
#include "check_batch_test.moc"
