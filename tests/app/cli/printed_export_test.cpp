// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/exporter.h"
#include "tests/app/program.h"
#include "tests/support/needs_lab.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QProcess>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

/// `--out -`: the bytes of a file on standard output.
class PrintedExportTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void prints_the_bytes_of_the_file() {
    const QStringList command{"export", "rope_phase", "--set", "q_length=12"};
    for (const auto& suffix : export_suffixes()) {
      if (is_figure_format(suffix) && !makesFigures()) continue;
      const QString format = QString::fromStdString(suffix);
      const auto written = runProgram(m_folder, command + QStringList{"--out", "a." + format});
      const auto printed = runProgram(m_folder, command + QStringList{"--out", "-", "--format", format});
      QCOMPARE(written.status, 0);
      QCOMPARE(printed.status, 0);
      QCOMPARE(printed.err, written.err);
      QVERIFY2(!printed.out.isEmpty() && printed.out == contentOf(m_folder, "a." + format), qPrintable(format));
    }
  }

  /// A run prints its result in a sentence, which would be in the way of the file.
  void result_of_a_run_is_not_printed_beside_its_numbers() {
    NEEDS_LAB();
    const auto printed = runProgram(m_folder, {"run", "vq_occupancy", "--set", "q_length=64", "--set", "n_code=8",
                                               "--keep", "runs", "--out", "-", "--format", "json"});
    QCOMPARE(printed.status, 0);
    QVERIFY(printed.out.startsWith("{") && printed.out.trimmed().endsWith("}"));
  }

  void nothing_remains_of_the_temporary_file() {
    const auto at = [&](QProcess& process) {
      auto environment = process.processEnvironment();
      environment.insert("TMPDIR", m_folder.path());
      process.setProcessEnvironment(environment);
    };
    const auto before = namesIn(m_folder);
    QCOMPARE(runProgram(m_folder, {"export", "t5_bucket", "--out", "-", "--format", "csv"}, at).status, 0);
    QCOMPARE(namesIn(m_folder), before);
  }

  void nothing_remains_where_the_reader_ends_early() {
    const QTemporaryDir temporary;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("TMPDIR", temporary.path());
    QProcess shell;
    shell.setProcessEnvironment(environment);
    shell.start("sh",
                {"-c", "\"$0\" export t5_bucket --set q_length=600 --out - --format csv | head -c 10", programPath()});
    QVERIFY(shell.waitForFinished(120'000));
    QCOMPARE(shell.readAllStandardOutput().size(), 10);
    QCOMPARE(namesIn(temporary), QStringList());
  }

  void refusals_data() {
    addRefusals(
        {{{"export", "t5_bucket", "--out", "-"}, "--out - needs --format: csv, npy, json, png, svg or pdf"},
         {{"export", "block_mask", "--out", "-"}, "--out - needs --format: npz or safetensors"},
         {{"export", "t5_bucket", "--out", "-", "--format", "cvs"},
          "--format is cvs but must be one of csv, npy, json, png, svg, pdf, npz, safetensors; did you mean csv?"},
         {{"export", "t5_bucket", "--out", "a.csv", "--format", "csv"},
          "--format is for --out -: the end of a file's name says its format"},
         {{"export", "t5_bucket", "--out", "-", "a.csv", "--format", "csv"}, "--out - takes no other file beside it"},
         {{"export", "t5_bucket", "--set", "q_length=1M", "--out", "-", "--format", "csv"},
          "standard output would have about 3 TiB, more than the limit of 2 GiB; --force writes it anyway"}});
  }

  void refusals() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, message);
    compareRefused(runProgram(m_folder, arguments), message);
  }

 private:
  QTemporaryDir m_folder;
};

VQSCOPE_TEST(PrintedExportTest)
#include "printed_export_test.moc"
