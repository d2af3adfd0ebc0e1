// SPDX-License-Identifier: GPL-3.0-or-later
// Masks from files on the command line: as text and as cells, compared and recognised.
#include "core/io/npy/npy_writer.h"
#include "tests/app/program.h"
#include "tests/core/io/png/png_bytes.h"
#include "tests/core/io/tensor/tensor_bytes.h"
#include "tests/support/list_of_list.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <array>

using namespace vqscope;
using namespace vqscope::test;

class MaskFilesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() {
    write("causal.csv", "1,0,0,0\n1,1,0,0\n1,1,1,0\n1,1,1,1\n");
    write("flipped.csv", "1,0,0,0\n1,1,0,0\n1,0,1,0\n1,1,1,1\n");
    write("additive.csv", "0,-inf\n0,0\n");
    write("window.py", "def mask_mod(b, h, q_idx, kv_idx):\n    return (kv_idx <= q_idx) & (q_idx - kv_idx < n)\n");
    const QByteArray cells("\0\1\1\0\0\1\0\0\0", 9);
    write("masked.npy", QByteArray::fromStdString(npy_header("|b1", std::array<Index, 2>{3, 3})) + cells);
    const std::string image = png_bytes({.width = 2, .height = 2, .rows = std::string("\0\xff\0\0\xff\xff", 6)});
    write("causal.png", QByteArray::fromStdString(image));
  }

  void cellsOfEveryFormat() {
    for (const QString file : {"causal.csv", "masked.npy", "causal.png", "additive.csv"}) {
      const auto row = run({"row", "1", "--mask", file, "--json"});
      QCOMPARE(row.status, 0);
      const QJsonObject object = QJsonDocument::fromJson(row.out).object();
      QCOMPARE(object["visible"].toArray(), listOf({0, 2}));
      QVERIFY2(row.err.startsWith("vqscope: " + file.toUtf8() + ": "), row.err.constData());
    }
  }

  void stderrExplainsHowCellsWereRead() {
    QCOMPARE(run({"row", "0", "--mask", "masked.npy"}).err,
             QByteArray("vqscope: masked.npy: boolean: false is visible, because every key after its query is true\n"));
    QCOMPARE(run({"row", "0", "--mask", "additive.csv"}).err,
             QByteArray("vqscope: additive.csv: additive, 0 and numbers down to -inf: above -1000 is visible\n"));
    const auto read = run({"row", "0", "--mask", "masked.npy", "--polarity", "visible_true", "--json"});
    QVERIFY2(read.err.startsWith("vqscope: masked.npy: boolean: true is visible, as asked for\nvqscope: warning: the "
                                 "imported mask looks inverted: "),
             read.err.constData());
    QCOMPARE(QJsonDocument::fromJson(read.out)["visible"].toArray(), listOf({1, 3}));
  }

  void exportAndCheckTakeCells() {
    QCOMPARE(run({"export", "visibility", "--mask", "masked.npy", "--out", "out.csv"}).status, 0);
    QCOMPARE(contentOf(m_folder, "out.csv"), QByteArray("query\\key,0,1,2\n0,1,0,0\n1,1,1,0\n2,1,1,1\n"));
    QCOMPARE(run({"check", "--mask", "causal.csv", "--objective", "causal"}).status, 0);
    QCOMPARE(run({"check", "--mask", "causal.csv", "--set", "mask_inverted=true", "--objective", "causal"}).status, 1);
    const auto difference =
        run({"export", "visibility", "--mask", "causal.csv", "--minus-mask", "flipped.csv", "--out", "minus.csv"});
    QCOMPARE(difference.status, 0);
    QVERIFY(contentOf(m_folder, "minus.csv").contains("\n2,0,1,0,0\n"));
  }

  void rulesRowsAndSnippetsDescribeTheFile() {
    const QByteArray what = "masked.npy [3, 3] is boolean; True is masked (guessed: every key after its query is true)";
    const auto check = [&](const QString& backend) {
      return run({"check", "--mask", "masked.npy", "--set", "dialect=" + backend});
    };
    QCOMPARE(check("sdpa").status, 1);
    QVERIFY(check("sdpa").out.startsWith("error: dialect_polarity: True is masked in masked.npy [3, 3] (guessed"));
    QCOMPARE(check("mha").status, 0);
    QCOMPARE(check("additive_f32").status, 1);
    QVERIFY(check("additive_f32").out.startsWith("error: zero_one_mask: row 0 would see key 1: True and False"));
    QVERIFY(run({"check", "--mask", "masked.npy"}).out.contains("question: dialect_polarity: " + what));
    QVERIFY(run({"row", "0", "--mask", "masked.npy"}).out.contains("\nFile: " + what + "\n"));
    QVERIFY(run({"dialects", "--mask", "masked.npy"}).out.contains("\nFile: " + what + ".\n"));
    QVERIFY(run({"dialects", "--mask", "masked.npy", "--snippet", "sdpa"}).out.startsWith("# " + what + "\n"));
  }

  void tensorsOfArchives() {
    writeArchives();
    for (const QString file : {"two.npz:causal", "two.npz:heads[0,1]", "one.npz", "m.safetensors:bias"}) {
      const auto row = run({"row", "1", "--mask", file, "--json"});
      QVERIFY2(row.status == 0, row.err.constData());
      QCOMPARE(QJsonDocument::fromJson(row.out)["visible"].toArray(), listOf({0, 2}));
      QVERIFY2(row.err.startsWith("vqscope: " + file.toUtf8() + ": "), row.err.constData());
    }
    const auto head = run({"row", "0", "--mask", "two.npz:heads", "--head", "1", "--json"});
    QCOMPARE(QJsonDocument::fromJson(head.out)["visible"].toArray(), listOf({0, 1}));
    QCOMPARE(run({"check", "--mask", "m.safetensors:bias", "--objective", "causal"}).status, 0);
    QCOMPARE(run({"diff", "--mask", "two.npz:causal", "--minus-mask", "m.safetensors:bias"}).status, 0);
    QVERIFY(run({"recognise", "--mask", "one.npz"}).out.contains("causal"));
    QCOMPARE(run({"export", "visibility", "--mask", "one.npz", "--out", "one.csv"}).status, 0);
    QCOMPARE(contentOf(m_folder, "one.csv"), QByteArray("query\\key,0,1,2\n0,1,0,0\n1,1,1,0\n2,1,1,1\n"));
  }

  void tensorsThatAreNoMask() {
    writeArchives();
    write("cut.npz", "PK\3\4");
    const std::array<std::pair<QString, QByteArray>, 7> refused{
        {{"two.npz", "two.npz: it holds 2 tensors, name one of them as FILE:NAME: causal "},
         {"two.npz:none", "two.npz: it holds no tensor none, only causal "},
         {"two.npz:heads[2,0]",
          "two.npz: tensor heads has the shape (1, 2, 3, 3): index 2 of dimension 0 must be -1 to 0"},
         {"m.safetensors:line", "m.safetensors:line: the array has shape (3,), a mask is [q, kv]"},
         {"m.safetensors:eight", "m.safetensors: tensor eight has dtype F8_E4M3 but must be BOOL"},
         {"cut.npz", "cut.npz: "},
         {"none.npz:a", "cannot read none.npz"}}};
    for (const auto& [file, expected] : refused) {
      const auto row = run({"row", "0", "--mask", file});
      QCOMPARE(row.status, 2);
      QVERIFY2(row.err.contains(expected) && row.err.size() < 400 && row.err.count('\n') == 1, row.err.constData());
    }
  }

  void oneRowServesAllQueries() {
    write("padding.csv", "1,1,1,0\n");
    const auto row = run({"row", "3", "--mask", "padding.csv", "--set", "q_length=4", "--json"});
    QCOMPARE(QJsonDocument::fromJson(row.out)["shape"].toArray(), (QJsonArray{4, 4}));
    QCOMPARE(QJsonDocument::fromJson(row.out)["visible"].toArray(), listOf({0, 3}));
  }

  void twoMasks() {
    const auto same = run({"diff", "--set", "mask=causal", "--minus-mask", "causal.csv"});
    QCOMPARE(same.out, QByteArray("the masks are equal\n"));
    QCOMPARE(same.status, 0);
    const auto other = run({"diff", "--mask", "causal.csv", "--minus-mask", "flipped.csv"});
    QCOMPARE(other.out,
             QByteArray("1 cell visible only in the first, 0 cells only in the second; the first that differs "
                        "is query 2, key 1, visible only in the first\n"));
    QCOMPARE(other.status, 1);
    const auto preset = run({"diff", "--set", "q_length=8", "--minus", "mask=bidirectional", "--json"});
    QCOMPARE(preset.status, 1);
    const QJsonObject object = QJsonDocument::fromJson(preset.out).object();
    QCOMPARE(object["equal"].toBool(true), false);
    QCOMPARE(object["only_first"].toInt(-1), 0);
    QCOMPARE(object["only_second"].toInt(), 28);
    QCOMPARE(object["first"].toObject(), (QJsonObject{{"row", 0}, {"key", 1}, {"visible_in", "second"}}));
    const auto text = run({"diff", "--mask", "window.py", "--set", "n=3", "--set", "q_length=8", "--minus", "n=4"});
    QCOMPARE(text.err, QByteArray());
    QVERIFY2(text.out.startsWith("0 cells visible only in the first, 5 cells only in the second;") &&
                 text.out.endsWith("\nthe second is the first with a window of 4 in place of a window of 3\n"),
             text.out.constData());
  }

  void recognised() {
    const auto text = run({"recognise", "--mask", "causal.csv"});
    QCOMPARE(text.out, QByteArray("causal\n\nreturn (kv_idx <= q_idx)\npreset causal\n"));
    const auto global = run({"recognise", "--set", "mask=longformer", "--set", "q_length=200"});
    QVERIFY2(global.out.contains("\npreset longformer, attention_window 64, global_tokens 1\n"),
             global.out.constData());
    const auto packed = run(
        {"recognise", "--set", "mask=packed", "--set", "q_length=10", "--array", "document_lengths=4,2,4", "--json"});
    const QJsonObject object = QJsonDocument::fromJson(packed.out).object();
    QCOMPARE(object["sentence"].toString(), QString("causal ∧ documents [4, 2, 4]"));
    QCOMPARE(object["exception_count"].toInt(-1), 0);
    QCOMPARE(object["presets"][0]["mask"].toString(), QString("packed"));
    QCOMPARE(object["presets"][0]["document_lengths"].toArray(), (QJsonArray{4, 2, 4}));
    QCOMPARE(object["arrays"]["document_id"].toArray(), (QJsonArray{0, 0, 0, 0, 1, 1, 2, 2, 2, 2}));
    // Its output is a mask again.
    write("again.py", object["text"].toString().toUtf8());
    const auto same =
        run({"diff", "--mask", "again.py", "--set", "q_length=10", "--array", "document_id=0,0,0,0,1,1,2,2,2,2",
             "--minus", "mask=packed", "--minus", "document_lengths=4,2,4"});
    QCOMPARE(same.err, QByteArray());
    QCOMPARE(same.out, QByteArray("the masks are equal\n"));
  }

  void exceptionsAreListed() {
    write("wrong.csv", [] {
      QByteArray cells;
      for (int q = 0; q < 24; ++q) {
        for (int kv = 0; kv < 24; ++kv) cells += (kv <= q) != (q == 20 && kv == 3) ? "1," : "0,";
        cells.back() = '\n';
      }
      return cells;
    }());
    QCOMPARE(run({"recognise", "--mask", "wrong.csv"}).out,
             QByteArray("causal, except 1 cell\nquery 20, key 3: masked\n\nreturn (kv_idx <= q_idx)\n"));
  }

  void arraysOfFiles() {
    const QByteArray ids("\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0", 16);
    write("ids.npy", QByteArray::fromStdString(npy_header("<i8", std::array<Index, 1>{2})) + ids);
    write("same.py", "document_id[q_idx] == document_id[kv_idx]");
    const QStringList arguments{"row", "1", "--mask", "same.py", "--set", "q_length=2", "--json"};
    const auto row = run(arguments + QStringList{"--array", "document_id=ids.npy"});
    QCOMPARE(row.err, QByteArray());
    QCOMPARE(QJsonDocument::fromJson(row.out)["visible"].toArray(), listOf({1, 2}));
    QVERIFY(run(arguments + QStringList{"--array", "document_id=masked.npy"})
                .err.startsWith("vqscope: same.py, line 1, column 1: a mask has the dimensions q and kv"));
    QCOMPARE(run(arguments + QStringList{"--array", "document_id=none.npy"}).err,
             QByteArray("vqscope: cannot read none.npy: No such file or directory\n"));
  }

  /// A table of truth values, also where the text alone reads as if its name were an integer.
  void tablesOfFiles() {
    write("table.npy",
          QByteArray::fromStdString(npy_header("|b1", std::array<Index, 2>{2, 2})) + QByteArray("\1\0\1\1", 4));
    const auto seen = [&](const QByteArray& text) {
      write("tree.py", text);
      const auto row =
          run({"row", "0", "--mask", "tree.py", "--set", "q_length=2", "--array", "tree=table.npy", "--json"});
      return row.err.isEmpty() ? QJsonDocument::fromJson(row.out)["visible"].toArray()
                               : QJsonArray{row.err.constData()};
    };
    QCOMPARE(seen("tree[q_idx, kv_idx]"), listOf({0, 1}));
    QCOMPARE(seen("~tree[q_idx, kv_idx]"), listOf({1, 2}));
    QCOMPARE(seen("blocked = tree == 0\nblocked[q_idx, kv_idx]"), listOf({1, 2}));
    write("flat.py", "tree[q_idx, kv_idx]");
    QCOMPARE(run({"row", "0", "--mask", "flat.py", "--set", "q_length=2"}).err.split('\n').front(),
             QByteArray("vqscope: flat.py, line 1, column 1: tree has no values yet; give them, as an array"));
  }

  void errorsOfATextShowTheirPlace() {
    write("wrong.py", "def mask_mod(b, h, q_idx, kv_idx):\n    return kv_idx <= q_ixd +\n");
    const auto row = run({"row", "0", "--mask", "wrong.py"});
    QCOMPARE(row.status, 2);
    const auto lines = row.err.split('\n');
    QCOMPARE(lines.size(), 4);
    QVERIFY2(lines[0].startsWith("vqscope: wrong.py, line 2, column "), row.err.constData());
    QCOMPARE(lines[1], QByteArray("    return kv_idx <= q_ixd +"));
    QVERIFY(lines[2].trimmed().startsWith('^'));
  }

  /// In a text too, True may be the cells that masked_fill hides.
  void polarityOfAText() {
    write("hidden.py", "mask = torch.triu(torch.ones(4, 4), diagonal=1).bool()\n");
    const auto visible = [&](const QStringList& more) {
      const QStringList row{"row", "1", "--mask", "hidden.py", "--set", "q_length=4", "--json"};
      return QJsonDocument::fromJson(run(row + more).out)["visible"].toArray();
    };
    QCOMPARE(visible({}), listOf({2, 4}));
    QCOMPARE(visible({"--polarity", "visible_true"}), listOf({2, 4}));
    QCOMPARE(visible({"--polarity", "masked_true"}), listOf({0, 2}));
    const QStringList check{"check", "--mask", "hidden.py", "--set", "q_length=4"};
    QCOMPARE(run(check).status, 1);
    QCOMPARE(run(check + QStringList{"--polarity", "masked_true"}).status, 0);
    // Beside cells the option is about those.
    QCOMPARE(run({"diff", "--mask", "causal.csv", "--minus-mask", "hidden.py", "--polarity", "masked_true"}).status, 0);
  }

  /// How a mask was read is said if the command goes on, and not beside its refusal.
  void aRefusalIsOneLine() {
    write("page.html", "<html>");
    const auto diff = run({"diff", "--mask", "causal.csv", "--minus-mask", "page.html"});
    QCOMPARE(diff.status, 2);
    QVERIFY2(diff.err.startsWith("vqscope: page.html is an HTML page") && diff.err.count('\n') == 1,
             diff.err.constData());
    const auto row = run({"row", "99", "--mask", "causal.csv"});
    QCOMPARE(row.status, 2);
    QCOMPARE(row.err.count('\n'), 1);
    QVERIFY(run({"row", "1", "--mask", "causal.csv"}).err.startsWith("vqscope: causal.csv: "));
  }

  void warningsOfATextArePrinted() {
    write("mixed.py", "kv_idx <= q_idx & kv_idx == 3");
    const auto row = run({"row", "0", "--mask", "mixed.py", "--set", "q_length=8"});
    QCOMPARE(row.status, 0);
    QVERIFY2(row.err.startsWith("vqscope: warning: mixed.py, line 1, column "), row.err.constData());
  }

  void refusals_data() {
    addRefusals({
        {{"diff"}, "diff needs the second mask: --minus NAME=VALUE or --minus-mask FILE"},
        {{"diff", "x"}, "unexpected argument \"x\": vqscope diff takes options only"},
        {{"recognise", "x"}, "unexpected argument \"x\": vqscope recognise takes options only"},
        {{"row", "0", "--mask", "none.npy"}, "cannot read none.npy: No such file or directory"},
        {{"row", "0", "--mask", "none.py"}, "cannot read none.py: No such file or directory"},
        {{"row", "0", "--mask", "bad.csv"}, "bad.csv: line 2, column 2: \"x\", expected a number"},
        {{"row", "0", "--mask", "window.py", "--head", "1"},
         "--threshold, --batch and --head are for cells, the mask is a text"},
        {{"row", "0", "--head", "1"}, "--polarity, --threshold, --batch and --head need --mask FILE, which is missing"},
        {{"row", "0", "--polarity", "true"}, "--polarity is true but must be visible_true or masked_true"},
        {{"row", "0", "--head", "-1"}, "--head is -1 but must be a whole number from 0"},
        {{"row", "0", "--set", "mask=dump"}, "mask_rows is empty, import a mask from a file (.npy, .csv or .png)"},
        {{"export", "t5_bucket", "--mask", "causal.csv", "--out", "a.csv"},
         "--mask is for masks, t5_bucket is not a mask"},
    });
  }

  void refusals() {
    write("bad.csv", "1,0\n1,x\n");
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, message);
    compareRefused(run(arguments), message);
  }

  void help() {
    QVERIFY(run({"diff", "--help"}).out.contains("--minus-mask FILE"));
    QVERIFY(run({"recognise", "--help"}).out.contains("--polarity HOW"));
  }

 private:
  Outcome run(const QStringList& arguments) const { return runProgram(m_folder, arguments); }

  void write(const char* name, const QByteArray& bytes) const {
    QFile file(m_folder.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
  }

  /// The causal mask of three, as several kinds of cells.
  void writeArchives() const {
    const std::string causal("\1\0\0\1\1\0\1\1\1", 9);
    const std::string empty("\1\0\0\0\1\0\0\0\1", 9);
    ZipBytes two;
    two.add("causal.npy", npy_array("|b1", {3, 3}, causal), true);
    two.add("heads.npy", npy_array("|u1", {1, 2, 3, 3}, empty + causal), false);
    write("two.npz", QByteArray::fromStdString(two.bytes()));
    ZipBytes one;
    one.add("mask.npy", npy_array("|b1", {3, 3}, causal), true);
    write("one.npz", QByteArray::fromStdString(one.bytes()));
    std::string bias;
    for (const char seen : causal) bias += seen == 1 ? std::string(4, '\0') : number_bytes(0xff800000, 4);
    write("m.safetensors", QByteArray::fromStdString(
                               safetensors_file(R"({"bias":{"dtype":"F32","shape":[3,3],"data_offsets":[0,36]},)"
                                                R"("line":{"dtype":"BOOL","shape":[3],"data_offsets":[36,39]},)"
                                                R"("eight":{"dtype":"F8_E4M3","shape":[3],"data_offsets":[39,42]}})",
                                                bias + causal.substr(0, 6))));
  }

  QTemporaryDir m_folder;
};

VQSCOPE_TEST(MaskFilesTest)
#include "mask_files_test.moc"
