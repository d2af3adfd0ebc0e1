// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays with a row for each sample: attention_mask, position_ids, labels, prefix_length.
#include "core/io/npy/npy_writer.h"
#include "tests/app/program.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <vector>

using namespace vqscope;
using namespace vqscope::test;

namespace {

const QByteArray rightPadded("\1\1\1\1\1\1\0\0\1\1\1\1", 12);  // samples of 4, 2 and 4 of 4 tokens

}  // namespace

class SampleArraysTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void each_sample_has_its_own_padding() {
    const QStringList padded{"--array", "attention_mask=[[1,1,1],[0,1,1]]"};
    const auto right = ran(QStringList{"check"} + padded + QStringList{"--array", "position_ids=[[0,1,2],[0,0,1]]"});
    QVERIFY2(right.status == 0, right.out.constData());
    QVERIFY2(right.out.contains("; checked 2 of 2 samples"), right.out.constData());
    const auto wrong = ran(QStringList{"check"} + padded + QStringList{"--array", "position_ids=[[0,1,2],[0,1,2]]"});
    QVERIFY2(wrong.status == 1, wrong.out.constData());
    QVERIFY2(wrong.out.contains(": sample 1: "), wrong.out.constData());
    QVERIFY2(!wrong.out.contains("sample 0"), wrong.out.constData());
  }

  void a_matrix_of_padding_is_an_attention_mask() {
    write("padding.npy", "|b1", {3, 4}, rightPadded);
    const auto read = ran({"check", "--mask", "padding.npy", "--json"});
    QVERIFY2(read.status == 0, read.err.constData());
    QCOMPARE(read.err,
             QByteArray("vqscope: padding.npy [3, 4] is read as the attention_mask of 3 samples of 4 tokens, 1 for a "
                        "real token; give --set q_length=3 to read it as a mask of so many queries\n"));
    const QJsonObject object = QJsonDocument::fromJson(read.out).object();
    QCOMPARE(object["samples"].toInt(), 3);
    QCOMPARE(object["samples_checked"].toInt(), 3);
    QCOMPARE(object["different_samples"].toInt(), 2);
    QCOMPARE(object["shape"].toArray(), (QJsonArray{4, 4}));
    QCOMPARE(object["file_shape"].toArray(), (QJsonArray{3, 4}));
    const auto one = ran({"recognise", "--mask", "padding.npy", "--batch", "1"});
    QVERIFY2(one.out.startsWith("causal ∧ key padding of 2 on the right\n"), one.out.constData());
    const auto mask = ran({"check", "--mask", "padding.npy", "--set", "q_length=3", "--json"});
    QCOMPARE(QJsonDocument::fromJson(mask.out).object()["shape"].toArray(), (QJsonArray{3, 4}));
  }

  /// As many positions of queries as rows say that the rows are those queries.
  void positions_of_queries_say_that_rows_are_queries() {
    write("padding.npy", "|b1", {3, 4}, rightPadded);
    const auto shapeOf = [&](const char* positions) {
      const auto read = ran({"check", "--mask", "padding.npy", "--array", positions, "--json"});
      return QJsonDocument::fromJson(read.out).object()["shape"].toArray();
    };
    for (const char* positions : {"q_position_ids=1,2,3", "q_position_ids=[1,2,3]", "q_position_ids=[[1,2,3]]"})
      QCOMPARE(shapeOf(positions), (QJsonArray{3, 4}));
    QCOMPARE(shapeOf("q_position_ids=0,1,2,3"), (QJsonArray{4, 4}));
    const auto said = ran({"check", "--mask", "padding.npy", "--array", "q_position_ids=1,2,3"});
    QVERIFY2(said.err.contains("vqscope: q_position_ids has 3 tokens: the rows of padding.npy are those queries\n"),
             said.err.constData());
  }

  void recognise_groups_samples() {
    write("padding.npy", "|b1", {3, 4}, rightPadded);
    const auto all = ran({"recognise", "--mask", "padding.npy"});
    QVERIFY2(all.out.startsWith("samples 0, 2: causal\n"), all.out.constData());
    QVERIFY2(all.out.contains("\nsample 1: causal ∧ key padding of 2 on the right\n"), all.out.constData());
    const auto json = ran({"recognise", "--mask", "padding.npy", "--json"});
    const QJsonArray groups = QJsonDocument::fromJson(json.out).object()["groups"].toArray();
    QCOMPARE(groups.size(), 2);
    QCOMPARE(groups[0].toObject()["places"].toArray().size(), 2);
    QCOMPARE(groups[1].toObject()["places"].toArray()[0].toObject()["batch"].toInt(), 1);
  }

  void row_names_its_sample() {
    write("padding.npy", "|b1", {3, 4}, rightPadded);
    const auto first = ran({"row", "3", "--mask", "padding.npy"});
    QVERIFY2(first.out.startsWith("Row 3 of 4 sees 4 of 4 keys: 0–3\n"
                                  "This is sample 0 of 3; --batch and --head choose another\n"
                                  "sample 1: sees 2 of 4 keys: 0–1\n"),
             first.out.constData());
    const auto second = ran({"row", "3", "--mask", "padding.npy", "--batch", "1"});
    QVERIFY2(second.out.startsWith("Row 3 of 4 sees 2 of 4 keys: 0–1\nThis is sample 1 of 3;"), second.out.constData());
  }

  void one_row_serves_all_queries() {
    write("row.npy", "|b1", {3, 1, 1, 4}, rightPadded);
    const auto checked = ran({"check", "--mask", "row.npy", "--json"});
    QVERIFY2(checked.status == 0, checked.out.constData());
    const QJsonObject object = QJsonDocument::fromJson(checked.out).object();
    QCOMPARE(object["broadcast"].toString(), QString("one for all heads, one row for all 4 queries"));
    QCOMPARE(object["shape"].toArray(), (QJsonArray{4, 4}));
    QVERIFY2(checked.err.contains("one for all heads, one row for all 4 queries"), checked.err.constData());
    const auto row = ran({"row", "1", "--mask", "row.npy"});
    QVERIFY2(row.out.contains("File: row.npy [3, 1, 1, 4] (one for all heads, one row for all 4 queries) is boolean"),
             row.out.constData());
  }

  void an_export_names_its_slice() {
    write("row.npy", "|b1", {3, 1, 1, 4}, rightPadded);
    const QStringList exported{"export", "visibility", "--mask", "row.npy", "--out", "-", "--format", "csv"};
    const auto first = ran(exported);
    QVERIFY2(first.err.contains("this is sample 0 of 3; --batch and --head choose another"), first.err.constData());
    const auto second = ran(exported + QStringList{"--batch", "1"});
    QVERIFY2(second.err.contains("this is sample 1 of 3\n"), second.err.constData());
  }

  /// A broadcast axis of the queries, with one of the heads or without.
  void an_axis_of_one_query_is_broadcast() {
    write("row.npy", "|b1", {3, 1, 4}, rightPadded);
    const auto checked = ran({"check", "--mask", "row.npy", "--json"});
    QVERIFY2(checked.status == 0, checked.out.constData());
    const QJsonObject object = QJsonDocument::fromJson(checked.out).object();
    QCOMPARE(object["broadcast"].toString(), QString("one row for all 4 queries"));
    QCOMPARE(object["shape"].toArray(), (QJsonArray{4, 4}));
    QCOMPARE(object["samples"].toInt(), 3);
    QVERIFY2(checked.err.contains("; give --set q_length=1 to read it as masks of one query"), checked.err.constData());
    const auto one = ran({"check", "--mask", "row.npy", "--set", "q_length=1", "--json"});
    QCOMPARE(QJsonDocument::fromJson(one.out).object()["shape"].toArray(), (QJsonArray{1, 4}));
    QVERIFY2(!one.err.contains("give --set"), one.err.constData());
  }

  void empty_lists_are_refused() {
    for (const char* name : {"labels=", "position_ids= ", "lens="}) {
      const auto checked = ran({"check", "--set", "q_length=8", "--array", name});
      QCOMPARE(checked.status, 2);
      QVERIFY2(checked.err.startsWith(QByteArray("vqscope: --array is ") + name), checked.err.constData());
    }
  }

  void prefixes_by_sample() {
    const QStringList line{"check", "--set", "mask=prefix_lm", "--set", "q_length=8", "--array", "prefix_length=3,5,2"};
    const auto all = ran(line);
    QVERIFY2(all.status == 0 && all.out.contains("checked 3 of 3 samples"), all.out.constData());
    writtenFile(m_folder, "prefix.py", "def prefix(b, h, q, kv):\n    return (kv <= q) | (kv < prefix_length[b])\n");
    const QStringList text{"check", "--mask", "prefix.py", "--set", "q_length=8", "--array", "prefix_length=3,5,2"};
    const auto ofText = ran(text);
    QVERIFY2(ofText.status == 0 && ofText.out.contains("checked 3 of 3 samples"), ofText.out.constData());
    const auto row = ran(QStringList{"row", "0", "--batch", "1"} + text.mid(1));
    QVERIFY2(row.out.startsWith("Row 0 of 8 sees 5 of 8 keys: 0–4\n"), row.out.constData());
  }

  void text_of_b_and_h_is_checked_over_its_arrays() {
    writtenFile(m_folder, "lens.py",
                "def mask(b, h, q, kv):\n    return (kv <= q) & (kv < lens[b]) & (q - kv < w[h])\n");
    const QStringList line{"check",   "--mask",     "lens.py", "--set", "q_length=8",
                           "--array", "lens=8,5,8", "--array", "w=4,8", "--json"};
    const QJsonObject object = QJsonDocument::fromJson(ran(line).out).object();
    QCOMPARE(object["samples"].toInt(), 3);
    QCOMPARE(object["heads"].toInt(), 2);
    const auto one = ran(line.mid(0, 9) + QStringList{"--batch", "1", "--head", "0"});
    QVERIFY2(one.out.contains("checked 1 of 3 samples; checked 1 of 2 heads"), one.out.constData());
  }

  void lengths_come_from_what_is_given() {
    writtenFile(m_folder, "text.py",
                "Q_LEN = 16\nmask = create_block_mask(lambda b, h, q, kv: kv <= q, None, None, Q_LEN, Q_LEN)\n");
    QCOMPARE(shapeOf({"--mask", "text.py"}), (QJsonArray{16, 16}));
    QCOMPARE(shapeOf({"--array", "labels=-100,1,2"}), (QJsonArray{3, 3}));
    QCOMPARE(shapeOf({"--array", "attention_mask=1,1,0,0"}), (QJsonArray{4, 4}));
    const auto kept = ran({"check", "--mask", "text.py", "--set", "q_length=8", "--json"});
    QCOMPARE(kept.err,
             QByteArray("vqscope: warning: q_length is 8, but Q_LEN of the text's create_block_mask is 16\n"));
    QCOMPARE(QJsonDocument::fromJson(kept.out).object()["shape"].toArray(), (QJsonArray{8, 8}));
  }

  void a_batch_file_has_well_known_names() {
    writtenFile(m_folder, "batch.json",
                "{\"attention_mask\": [[1, 1, 1, 1], [1, 1, 0, 0]], \"input_ids\": [[5, 6, 7, 8], [5, 6, 0, 0]],\n"
                " \"labels\": [[5, 6, 7, 8], [5, 6, -100, -100]], \"extra\": 3}");
    const auto checked = ran({"check", "--batch-file", "batch.json"});
    QCOMPARE(ran({"check", "batch.json"}).out, checked.out);
    QVERIFY2(checked.status == 0, checked.out.constData());
    QCOMPARE(checked.err,
             QByteArray("vqscope: batch.json: took attention_mask, input_ids, labels, left out extra, of 2 "
                        "samples\n"));
    const auto row = ran({"row", "3", "--batch-file", "batch.json", "--batch", "1"});
    QVERIFY2(row.out.startsWith("Row 3 of 4 sees 2 of 4 keys: 0–1\n"), row.out.constData());
  }

  /// The mask of a JSON batch are nested lists.
  void a_mask_in_json() {
    writtenFile(m_folder, "masks.json",
                "{\"mask\": [[[true, false], [true, true]], [[true, true], [true, true]]], \"input_ids\": [[1, 2], [3, "
                "4]]}");
    const auto checked = ran({"check", "masks.json", "--objective", "causal"});
    QCOMPARE(checked.status, 1);
    QVERIFY2(checked.out.startsWith("error: future_visible: sample 1: row 0 sees key 1"), checked.out.constData());
    writtenFile(m_folder, "one.json", "[[1, 0], [1, 1]]");
    const auto one = ran({"check", "--mask", "one.json", "--objective", "causal"});
    QVERIFY2(one.status == 0, one.err.constData());
  }

  /// A batch of ids alone has lengths, samples and, with a tokenizer beside it, texts.
  void ids_of_a_batch_serve_every_command() {
    writtenFile(m_folder, "ids.json", "{\"input_ids\": [[1, 0, 2], [2, 2, 1]]}");
    writtenFile(m_folder, "tokenizer.json",
                "{\"model\": {\"type\": \"BPE\", \"vocab\": {\"ab\": 0, \"cd\": 1, \"ef\": 2}, \"merges\": []}}");
    const auto row = ran({"row", "2", "--batch-file", "ids.json", "--batch", "1"});
    QVERIFY2(row.out.startsWith("Row 2 of 3 "), row.out.constData());
    QVERIFY2(row.out.contains("ef") && row.out.contains("cd"), row.out.constData());
    QVERIFY2(row.err.contains("took input_ids, of 2 samples"), row.err.constData());
    QFile::remove(m_folder.filePath("tokenizer.json"));
  }

  void padding_alone_is_an_error() {
    const auto checked = ran({"check", "--array", "attention_mask=[[1,1,0],[0,0,0]]"});
    QCOMPARE(checked.status, 1);
    QVERIFY2(
        checked.out.startsWith("error: empty_row: sample 1: the sample has no real token: every row sees no key\n"),
        checked.out.constData());
  }

  void refused_data() {
    const QString mask = "attention_mask=[[1,1,0],[0,1,1]]";
    addRefusals({
        {{"check", "--array", "attention_mask=[[1,1,0],[1,0,1]]"},
         "attention_mask: sample 1: token 1 is 0 between ones, and padding must be at one end"},
        {{"check", "--array", mask, "--array", "labels=[[1,2,3,4],[1,2,3,4]]"},
         "labels has 4 tokens, but attention_mask has 3 tokens"},
        {{"check", "--array", mask, "--array", "labels=[[1,2,3],[1,2,3],[1,2,3]]"},
         "labels has 3 samples, but attention_mask has 2 samples"},
        {{"check", "--array", mask, "--set", "q_length=16"}, "q_length is 16, but attention_mask has 3 tokens"},
        {{"check", "--array", mask, "--batch", "2"}, "--batch is 2 but must be 0 to 1: there are 2 samples"},
        {{"check", "--array", "attention_mask=[[1,1,0],[1,0,0]]", "--head", "1"},
         "--head is 1 but must be 0: there is one head"},
        {{"check", "--array", "position_ids=[[0,1,2,3],[0,1,2,3]]", "--array", "labels=[[1,2,3],[1,2,3]]"},
         "position_ids has 4 tokens, but labels has 3 tokens"},
        {{"check", "--array", mask, "--set", "padding=1"},
         "attention_mask gives the padding of each sample, and padding is set; use one of them"},
        {{"check", "--array", "document_ids=[[0,1,0]]"},
         "document_ids: token 2 is of document 0, which ended before token 1"},
        {{"row", "1", "--array", "attention_mask=[[0,0]]"}, "every sample is padding alone"},
        {{"export", "rope_phase", "--batch-file", "batch.json", "--out", "a.csv"},
         "--batch-file is for masks, rope_phase is not a mask"},
    });
  }
  void refused() {
    QFETCH(const QStringList, arguments);
    QFETCH(const QByteArray, message);
    compareRefused(runProgram(m_folder, arguments), message);
  }

 private:
  void write(const QString& name, const char* descr, const std::vector<Index>& shape, const QByteArray& cells) {
    writtenFile(m_folder, name, QByteArray::fromStdString(npy_header(descr, shape)) + cells);
  }
  Outcome ran(const QStringList& arguments) { return runProgram(m_folder, arguments); }
  QJsonArray shapeOf(const QStringList& arguments) {
    const auto checked = ran(QStringList{"check", "--json"} + arguments);
    return QJsonDocument::fromJson(checked.out).object()["shape"].toArray();
  }

  QTemporaryDir m_folder;
};

VQSCOPE_TEST(SampleArraysTest)
#include "sample_arrays_test.moc"
