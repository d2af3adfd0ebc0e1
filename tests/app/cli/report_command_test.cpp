// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/program.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QTest>

using namespace vqscope::test;

class ReportCommandTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void filesAndTheSessionInThem() {
    const QStringList mask{"--set", "mask=sliding_window", "--set",    "sliding_window=9",
                           "--set", "q_length=32",         "--window", "8"};
    const auto made = runProgram(m_folder, QStringList("report") + mask + QStringList{"--out", "a.html", "a.md"});
    QCOMPARE(made.err, QByteArray());
    QCOMPARE(made.out, QByteArray());
    QCOMPARE(made.status, 0);
    const QByteArray html = contentOf(m_folder, "a.html");
    QVERIFY2(html.startsWith("<!DOCTYPE html>") && html.contains("First at query 8, key 0"), html);
    QVERIFY2(html.contains("vqscope check --session a.html"), html);
    const QByteArray markdown = contentOf(m_folder, "a.md");
    QVERIFY(markdown.startsWith("# Attention mask"));
    QCOMPARE(markdown.contains("[picture 1]: a.svg\n"), makesFigures());
    QVERIFY2(!markdown.contains("data:image"), markdown);
    QCOMPARE(contentOf(m_folder, "a.svg").contains("<svg"), makesFigures());
    const auto check = runProgram(m_folder, QStringList("check") + mask);
    QCOMPARE(check.status, 1);
    for (const char* name : {"a.html", "a.md"}) {
      const auto again = runProgram(m_folder, {"check", "--session", name});
      QCOMPARE(again.err, QByteArray());
      QCOMPARE(again.out, check.out);
      QCOMPARE(again.status, 1);
    }
    const auto third = runProgram(
        m_folder, {"report", "--session", "a.html", "--row", "20", "--key", "3", "--format", "md", "--out", "-"});
    QCOMPARE(third.err, QByteArray());
    QVERIFY2(third.out.contains("## Around query 20, key 3\n"), third.out);
    QCOMPARE(third.out.contains("[picture 1]: data:image/svg+xml;base64,"), makesFigures());
  }

  /// A file that cannot be written keeps the others from being written, and standard output empty.
  void allOrNothing() {
    const auto made = runProgram(m_folder, {"report", "t5_bucket", "--set", "q_length=16", "--format", "md", "--out",
                                            "-", "whole.md", "none/there.md"});
    QCOMPARE(made.status, 2);
    QCOMPARE(made.out, QByteArray());
    QVERIFY2(made.err.contains("none/there.md"), made.err);
    QVERIFY(!namesIn(m_folder).contains("whole.md"));
  }

  /// A picture beside the text replaces that of an earlier report, and no other file.
  void aForeignFileStays() {
    if (!makesFigures()) QSKIP("the program makes no figures");
    const QStringList report{"report", "t5_bucket", "--set", "q_length=16", "--out", "kept.md"};
    writtenFile(m_folder, "kept.svg", "mine");
    const auto refused = runProgram(m_folder, report);
    QCOMPARE(refused.status, 2);
    QCOMPARE(refused.err,
             QByteArray("vqscope: kept.svg is there already, and is no picture of kept.md: give the report "
                        "another name\n"));
    QCOMPARE(contentOf(m_folder, "kept.svg"), QByteArray("mine"));
    QVERIFY(QFile::remove(m_folder.filePath("kept.svg")));
    for (int time = 0; time < 2; ++time) QCOMPARE(runProgram(m_folder, report).err, QByteArray());
    QVERIFY(contentOf(m_folder, "kept.svg").contains("<svg"));
  }

  void otherMethods() {
    const auto curves = runProgram(m_folder, {"report", "rope_wavelength", "--format", "md", "--out", "-"});
    QCOMPARE(curves.err, QByteArray());
    QVERIFY2(curves.out.contains("## Numbers\n"), curves.out);
    // A curve that stands beside the matrices of its page.
    const auto beside = runProgram(m_folder, {"report", "rope_new_angles", "--format", "md", "--out", "-"});
    QCOMPARE(beside.err, QByteArray());
    QVERIFY2(beside.out.startsWith("# New angles by pair\n"), beside.out);
    const auto buckets =
        runProgram(m_folder, {"report", "t5_bucket", "--set", "q_length=64", "--row", "9", "--out", "b.md"});
    QCOMPARE(buckets.err, QByteArray());
    QVERIFY(contentOf(m_folder, "b.md").contains("## Numbers"));
  }

  /// The sample with the finding is shown; its number is in the sentence.
  void aBatch() {
    QByteArray cells;
    for (int q = 0; q < 4; ++q)
      for (int k = 0; k < 4; ++k) cells += k <= q ? '\1' : '\0';
    QByteArray leaking = cells;
    leaking[6] = '\1';  // query 1 sees key 2
    const QByteArray header = "{'descr': '|b1', 'fortran_order': False, 'shape': (3, 4, 4), }";
    const QByteArray length(QByteArray(1, static_cast<char>(header.size())) + QByteArray(1, '\0'));
    writtenFile(m_folder, "batch.npy", "\x93NUMPY\1" + QByteArray(1, '\0') + length + header + cells + leaking + cells);
    const auto made = runProgram(
        m_folder, {"report", "--mask", "batch.npy", "--objective", "causal", "--out", "-", "--format", "md"});
    QCOMPARE(made.status, 0);
    QVERIFY2(made.out.contains("this is sample 1 of 3"), made.out);
    QVERIFY2(made.out.contains("**Sample 1: row 1 sees key 2"), made.out);
    QVERIFY2(made.out.contains("## Around query 1, key 2\n"), made.out);
  }

  void isRefused_data() {
    addRefusals(
        {{{"report"}, "report needs --out FILE"},
         {{"report", "--out", "a.txt"},
          "cannot tell a format from a.txt: it must end with .html or .md; --format chooses one"},
         {{"report", "--format", "pdf", "--out", "refused.html"}, "--format is pdf but must be html or md"},
         {{"report", "a", "b", "--out", "refused.html"}, "report takes one METHOD, a and b were given"},
         {{"report", "--key", "1", "--out", "refused.html"}, "--key needs --row, which is missing"},
         {{"report", "--set", "q_length=8", "--row", "8", "--out", "refused.html"}, "the row is 8 but must be 0 to 7"},
         {{"report", "--row", "x", "--out", "refused.html"}, "--row is x but must be a whole number"}});
  }
  void isRefused() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, message);
    compareRefused(runProgram(m_folder, arguments), message);
    QVERIFY(!namesIn(m_folder).contains("refused.html"));
  }

 private:
  QTemporaryDir m_folder;
};

VQSCOPE_TEST(ReportCommandTest)
#include "report_command_test.moc"
