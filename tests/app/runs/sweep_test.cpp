// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/program.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>

#include <csignal>
#include <set>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Runs the parts of an array one after the other, and a job that depends on them.
const char fakeSbatch[] = R"(#!/bin/bash
for word in "$@"; do
  case "$word" in
    --wrap=*) wrap="${word#--wrap=}" ;;
    --dependency=*) after="${word#--dependency=}" ;;
    --*) ;;
    *) script="$word" ;;
  esac
done
if [ -z "${script-}" ]; then
  [ "$after" = afterok:42 ] && exec sh -c "$wrap"
  exit 1
fi
count=$(sed -n 's/^#SBATCH --array=1-//p' "$script")
for number in $(seq "$count"); do
  SLURM_ARRAY_TASK_ID=$number SLURM_ARRAY_TASK_COUNT=$count bash "$script" >&2 || exit
done
echo '42;cluster'
)";

/// Twelve points that take a few milliseconds each.
const QStringList points{"sweep", "vq_error_vs_length", "--vary", "n_code=8:32:*2", "--seeds", "4", "--set", "steps=3",
                         "--set", "train_keys=256",     "--set",  "length_max=256"};

QStringList into(const QString& folder, const QStringList& more = {}) {
  return points + QStringList{"--out", folder} + more;
}

QByteArray tableOf(const QTemporaryDir& folder, const QString& name) {
  const auto outcome = runProgram(folder, {"merge", name, "--out", name + ".csv"});
  return outcome.status == 0 ? contentOf(folder, name + ".csv") : "exit " + QByteArray::number(outcome.status);
}

}  // namespace

class SweepCommandTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void beforeEach() override { m_folder = std::make_unique<QTemporaryDir>(); }

  void shardsMakeTheSameTable() {
    QCOMPARE(run(into("one")).err, QByteArray("vqscope: 12 points: 12 computed, 0 already there\n"));
    for (const char* shard : {"3/3", "1/3", "2/3"}) QCOMPARE(run(into("three", {"--shard", shard})).status, 0);
    QCOMPARE(run(into("threads", {"--jobs", "4"})).status, 0);
    const QByteArray table = tableOf(*m_folder, "one");
    QVERIFY(table.startsWith("point,n_code,seed,series,length,value\n"));
    QCOMPARE(tableOf(*m_folder, "three"), table);
    QCOMPARE(tableOf(*m_folder, "threads"), table);
  }

  void killedPointsAreComputedAgain() {
    QProcess process;
    process.setWorkingDirectory(m_folder->path());
    process.start(programPath(), into("killed"));
    QVERIFY(process.waitForStarted());
    const auto finished = [&] { return QDir(m_folder->filePath("killed")).entryList({"*.json"}).size() > 4; };
    QTRY_VERIFY_WITH_TIMEOUT(finished() || process.state() == QProcess::NotRunning, 60'000);
    process.kill();
    QVERIFY(process.waitForFinished());
    QCOMPARE(run(into("killed")).status, 0);
    QCOMPARE(run(into("whole")).status, 0);
    QCOMPARE(tableOf(*m_folder, "killed"), tableOf(*m_folder, "whole"));
  }

  void pointsAreListed() {
    const auto outcome = run(points + QStringList{"--list", "--shard", "2/3"});
    QCOMPARE(outcome.status, 0);
    const auto lines = outcome.out.trimmed().split('\n');
    QCOMPARE(lines.size(), 4);
    const auto second = QJsonDocument::fromJson(lines[1]).object();
    QCOMPARE(second["n_code"].toInt(), 16);
    QCOMPARE(second["seed"].toInt(), 0);
    QCOMPARE(second["id"].toString().size(), 16);
  }

  void missingPointsAreNamed() {
    QCOMPARE(run(into("part", {"--shard", "1/6"})).status, 0);
    const auto outcome = run({"merge", "part", "--out", "part.csv"});
    QCOMPARE(outcome.status, 1);
    QVERIFY2(outcome.err.contains("vqscope: warning: missing: n_code=8 seed=1\n"), outcome.err);
    QVERIFY2(outcome.err.endsWith("vqscope: 2 of 12 points are in the table\n"), outcome.err);
    QVERIFY(contentOf(*m_folder, "part.csv").count('\n') > 2);
  }

  void textsAreSeparatedBySemicolons() {
    const QString masks = "mask=minimum(q_idx, 9) > kv_idx;q_idx - kv_idx < 16";
    const auto outcome = run({"sweep", "vq_error_vs_length", "--vary", masks, "--list"});
    QCOMPARE(outcome.err, QByteArray());
    QCOMPARE(outcome.out.count("\"mask\": "), 2);
  }

  /// The table does not depend on the tool that spreads the shards, and no line of a name is a
  /// command.
  void emittedScriptsRun_data() {
    QTest::addColumn<QString>("spreader");
    QTest::addColumn<QStringList>("command");
    QTest::addColumn<QString>("folder");
    QTest::newRow("slurm") << "slurm" << QStringList{"bash", "script"} << "it's 100%\ntouch taken\n#";
    QTest::newRow("parallel") << "parallel" << QStringList{"sh", "script"} << "it's here\ntouch taken\n#";
    QTest::newRow("snakemake") << "snakemake" << QStringList{"snakemake", "-s", "script", "--cores", "2", "--quiet"}
                               << "it's here";
  }
  void emittedScriptsRun() {
    QFETCH(QString, spreader);
    QFETCH(QStringList, command);
    QFETCH(QString, folder);
    const bool slurm = spreader == "slurm";
    if (!slurm && QStandardPaths::findExecutable(spreader).isEmpty()) QSKIP("it is not installed");
    const auto script = run(into(folder, {"--emit", spreader, "--shard", "auto/3"}));
    QCOMPARE(script.status, 0);
    writtenFile(*m_folder, "script", script.out);
    QVERIFY(QDir(m_folder->path()).mkdir("bin"));
    const QString sbatch = writtenFile(*m_folder, "bin/sbatch", fakeSbatch);
    QVERIFY(QFile::setPermissions(sbatch, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    QProcess process;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("PATH", m_folder->filePath("bin") + ":" + environment.value("PATH"));
    environment.insert("HOME", m_folder->path());
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(m_folder->path());
    process.start(command.first(), command.mid(1));
    QVERIFY(process.waitForFinished(120'000));
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError());
    QCOMPARE(run(into("alone")).status, 0);
    QCOMPARE(contentOf(*m_folder, folder + "/table.csv"), tableOf(*m_folder, "alone"));
    QVERIFY(!QFile::exists(m_folder->filePath("taken")));
  }

  void refusals_data() {
    addRefusals({
        {{"sweep"}, "sweep needs an EXPERIMENT (vqscope list shows all)"},
        {{"sweep", "vq_error_vs_length"}, "sweep needs --out DIR, or --list"},
        {{"sweep", "t5_bucket", "--list"},
         "t5_bucket has no curves; a sweep needs a method that vqscope list shows as curves"},
        {{"sweep", "rope_bound", "--seeds", "2", "--list"}, "--seeds: rope_bound has no parameter seed"},
        {{"sweep", "vq_error_vs_length", "--vary", "codes=1,2", "--list"},
         "--vary: unknown parameter codes of vq_error_vs_length"},
        {{"sweep", "vq_error_vs_length", "--vary", "seed=0:10000000", "--list"},
         "--vary seed takes more than 100000 values; use a larger step"},
        {{"sweep", "vq_error_vs_length", "--vary", "n_code=0,8", "--list"},
         "n_code is 0 but must be an integer from 1 to 4096"},
        {{"sweep", "vq_error_vs_length", "--vary", "n_code=8,0", "--list"},
         "point n_code=0: n_code is 0 but must be an integer from 1 to 4096"},
        {{"sweep", "vq_error_vs_length", "--list", "--shard", "4/3"},
         "--shard is 4/3 but must be i/n with 1 <= i <= n, auto, or auto/n"},
        {{"sweep", "vq_error_vs_length", "--emit", "make", "--out", "d"},
         "--emit is make but must be one of slurm, parallel, snakemake"},
        {{"sweep", "vq_error_vs_length", "--set", "r1=2", "--list"}, "r1 is not used while bias is none"},
        {{"sweep", "vq_error_vs_length", "--out", "/dev/null/d"},
         "/dev/null/d: cannot create the folder: Not a directory"},
        {{"merge"}, "merge needs the DIR of a sweep"},
        {{"merge", "nothing", "--out", "t.csv"}, "nothing/sweep.json: No such file or directory"},
        {{"merge", "d", "--out", "t.npy"}, "--out is t.npy but must end with .csv"},
    });
  }
  void refusals() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, message);
    compareRefused(run(arguments), message);
  }

 private:
  Outcome run(const QStringList& arguments) const { return runProgram(*m_folder, arguments); }
  std::unique_ptr<QTemporaryDir> m_folder;
};

VQSCOPE_TEST(SweepCommandTest)
#include "sweep_test.moc"
