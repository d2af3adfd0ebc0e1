// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/program.h"
#include "tests/support/list_of_list.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace vqscope::test;

class RowTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void asText() {
    const auto row = runProgram(m_folder, {"row", "5", "--set", "mask=packed", "--set", "q_length=8", "--array",
                                           "document_lengths=3,5", "--keys", "1:7", "--dtype", "float16"});
    QCOMPARE(row.err, QByteArray());
    QCOMPARE(row.status, 0);
    QCOMPARE(
        QString::fromUtf8(row.out),
        QString("Row 5 of 8 sees 3 of 8 keys: 3–5\n"
                "first 3, last 5\n"
                "q_pos 2, q_doc 1\n"
                "Softmax of equal scores: each of the 3 visible keys weighs 1/3, masked keys 0.\n"
                "\n"
                "key  kv_pos  kv_doc  same_document  kv_doc == q_doc  causal  kv_idx <= q_idx + past_len  verdict  "
                "additive    weight  why\n"
                "  1       1       0              ✗                ✗       ✓                           ✓   masked    "
                "-65504         0  masked by same_document: document_id[1] = 0, document_id[5] = 1, expected equal\n"
                "  2       2       0              ✗                ✗       ✓                           ✓   masked    "
                "-65504         0  masked by same_document: document_id[2] = 0, document_id[5] = 1, expected equal\n"
                "  3       0       1              ✓                ✓       ✓                           ✓  visible      "
                "   0  0.333333\n"
                "  4       1       1              ✓                ✓       ✓                           ✓  visible      "
                "   0  0.333333\n"
                "  5       2       1              ✓                ✓       ✓                           ✓  visible      "
                "   0  0.333333\n"
                "  6       3       1              ✓                ✓       ✗                           ✗   masked    "
                "-65504         0  masked by causal: kv_idx = 6 > q_idx + past_len = 5\n"));
  }

  /// A list as a tokenizer prints it; a cached token comes before the first query.
  void tokensHaveTheirTexts() {
    const QString tokens = writtenFile(m_folder, "tokens.txt", "['The', 'Ġcat', 'Ġsat']");
    const QStringList line{"row", "1", "--set", "q_length=3", "--set", "past_len=1", "--tokens", tokens};
    const auto row = runProgram(m_folder, line);
    QCOMPARE(row.err, QByteArray());
    const QString text = QString::fromUtf8(row.out);
    QVERIFY2(text.contains("\ntoken Ġsat\n"), row.out);
    QVERIFY2(text.contains("\nkey  token  "), row.out);
    QVERIFY2(text.contains("\n  0    The  "), row.out);
    const auto json = runProgram(m_folder, QStringList(line) << "--json");
    const QJsonObject object = QJsonDocument::fromJson(json.out).object();
    QCOMPARE(object["token"].toString(), QString("Ġsat"));
    QCOMPARE(object["keys"].toArray()[1].toObject()["token"].toString(), QString("Ġcat"));
    QVERIFY(!object["keys"].toArray()[3].toObject().contains("token"));
    const auto list = runProgram(m_folder, {"row", "0", "--set", "q_length=2", "--tokens", "[\"The\", \"cat\"]"});
    QVERIFY2(list.out.contains("\ntoken The\n"), list.out);
    const auto missing = runProgram(m_folder, {"row", "1", "--tokens", "none.txt"});
    QCOMPARE(missing.status, 2);
    QVERIFY2(missing.err.contains("none.txt"), missing.err);
  }

  /// The ids of a batch with the tokenizer beside them, or with that of a folder.
  void idsHaveTheTextsOfATokenizer() {
    const QTemporaryDir folder;
    const QByteArray tokenizer =
        "{\"decoder\": {\"type\": \"ByteLevel\"}, \"model\": {\"vocab\": {\"The\": 7, \"\u0120cat\": 9}}}";
    writtenFile(folder, "tokenizer.json", tokenizer);
    const QStringList line{"row", "1", "--set", "q_length=2", "--array", "input_ids=[[7, 8], [7, 9]]", "--batch", "1"};
    const auto row = runProgram(m_folder, QStringList(line) << "--tokens" << folder.path());
    QVERIFY2(row.out.contains("\ntoken ␣cat\n"), row.out + row.err);
    QCOMPARE(row.err, QByteArray());
    const auto unknown = runProgram(m_folder, QStringList(line).mid(0, 6) << "--tokens" << folder.path());
    QVERIFY2(unknown.out.contains("\ntoken [8]\n"), unknown.out + unknown.err);
    QVERIFY2(unknown.err.contains("input_ids have id 8, the vocabulary of "), unknown.err);
    const auto without = runProgram(m_folder, {"row", "0", "--tokens", folder.path()});
    QCOMPARE(without.status, 2);
    QVERIFY2(without.err.contains("is a tokenizer: its tokens need ids, --array input_ids=FILE"), without.err);
  }

  void longRowIsSummarised() {
    const auto row =
        runProgram(m_folder, {"row", "1500000", "--set", "mask=sliding_window", "--set", "q_length=2097152"});
    QCOMPARE(row.status, 0);
    QVERIFY(
        row.out.startsWith("Row 1 500 000 of 2 097 152 sees 128 of 2 097 152 keys: "
                           "1 499 873–1 500 000\n"));
    QVERIFY(row.out.contains("…\n"));
    QVERIFY(row.out.count('\n') < 64);
  }

  void asJson() {
    const auto row = runProgram(m_folder, {"row", "1", "--set", "mask=causal", "--set", "q_length=8", "--set",
                                           "padding=2", "--set", "padding_side=left", "--fill=inf", "--json"});
    QCOMPARE(row.status, 0);
    const QJsonObject object = QJsonDocument::fromJson(row.out).object();
    QCOMPARE(object["method"].toString(), QString("visibility"));
    QCOMPARE(object["parameters"]["mask"].toString(), QString("causal"));
    QCOMPARE(object["shape"].toArray(), (QJsonArray{8, 8}));
    QCOMPARE(object["row"].toInt(), 1);
    QCOMPARE(object["count"].toInt(), 0);
    QCOMPARE(object["visible"].toArray(), QJsonArray());
    QVERIFY(object["first"].isNull());
    QCOMPARE(object["masked_value"].toString(), QString("-inf"));
    QCOMPARE(object["weights"].toString(),
             QString("No key is visible: a softmax over -inf alone divides 0 by 0, every weight is NaN."));
    const QJsonArray keys = object["keys"].toArray();
    QCOMPARE(keys.size(), 8);
    QCOMPARE(keys[3]["weight"].toString(), QString("nan"));
    QCOMPARE(keys[3]["visible"].toBool(true), false);
    QCOMPARE(keys[3]["columns"].toArray().size(), object["columns"].toArray().size());
    QVERIFY(!keys[3]["why"].toString().isEmpty());
  }

  void rangesInJson() {
    const auto row = runProgram(m_folder, {"row", "5", "--set", "mask=causal", "--set", "q_length=8", "--json"});
    const QJsonObject object = QJsonDocument::fromJson(row.out).object();
    QCOMPARE(object["visible"].toArray(), listOf({0, 6}));
    QCOMPARE(object["first"].toInt(), 0);
    QCOMPARE(object["last"].toInt(), 5);
    QCOMPARE(object["keys"][2]["weight"].toDouble(), 1.0 / 6);
  }

  void errors_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("sentence");
    const auto row = [](const char* name, const QStringList& arguments, const char* sentence) {
      QTest::newRow(name) << arguments << QByteArray("vqscope: ") + sentence + "\n";
    };
    row("none", {}, "row needs the number of a row: vqscope row 12");
    row("no number", {"x"}, "the row is x but must be a whole number");
    row("two", {"1", "2"}, "row expects one row, 1 and 2 were given");
    row("too far", {"512"}, "the row is 512 but must be 0 to 511");
    row("negative", {"-1"}, "the row is -1 but must be 0 to 511");
    row("option", {"1", "--jsno"}, "unknown option --jsno; did you mean --json?");
    row("keys", {"1", "--keys", "5:5"}, "--keys is 5:5 but must be a range of at least one key within 0:512");
    row("far keys", {"1", "--keys", "5:513"}, "--keys is 5:513 but must be a range of at least one key within 0:512");
    row("many keys", {"1", "--set", "q_length=2097152", "--keys", ":"},
        "--keys is 0:2097152, at most 100000 keys are listed at once");
    row("no range", {"1", "--keys", "5"}, "--keys is 5 but must be a:b, for a to b - 1");
    row("dtype", {"1", "--dtype", "float8"}, "--dtype is float8 but must be one of float32, float16, bfloat16");
    row("fill", {"1", "--fill", "zero"}, "--fill is zero but must be min or inf");
    row("parameter", {"1", "--set", "q_lenght=4"}, "unknown parameter q_lenght of visibility; did you mean q_length?");
  }

  void errors() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, sentence);
    const auto outcome = runProgram(m_folder, QStringList{"row"} + arguments);
    QCOMPARE(outcome.err, sentence);
    QCOMPARE(outcome.status, 2);
    QCOMPARE(outcome.out, QByteArray());
  }

  void help() { QVERIFY(runProgram(m_folder, {"row", "--help"}).out.contains("--fill HOW")); }

 private:
  QTemporaryDir m_folder;
};

VQSCOPE_TEST(RowTest)
#include "row_test.moc"
