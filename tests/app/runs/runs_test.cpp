// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/program.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace vqscope;
using namespace vqscope::test;

class RunsCommandTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void beforeEach() override { m_folder = std::make_unique<QTemporaryDir>(); }

  void measuredRunsAreListedAndCompared() {
    for (const char* seed : {"seed=0", "seed=1"}) QCOMPARE(measure(seed).status, 0);
    const QJsonArray runs = listed();
    QCOMPARE(runs.size(), 2);
    const QJsonObject first = runs[0].toObject();
    QCOMPARE(first["method"].toString(), QString("vq_error_vs_length"));
    QCOMPARE(first["parameters"].toObject()["n_code"].toString(), QString("8"));
    QVERIFY(first["complete"].toBool() && first["seconds"].toDouble() > 0);
    const auto table = run({"runs", "--keep", "kept", nameOf(runs[0]), nameOf(runs[1])});
    QCOMPARE(table.err, QByteArray("vqscope: The runs differ in at most the seed\n"));
    QVERIFY(table.out.startsWith("series,length,runs,mean,least,greatest,deviation\n"));
  }

  void aRunIsNotedDeletedAndBroughtBack() {
    QCOMPARE(measure("seed=0").status, 0);
    const QString name = nameOf(listed()[0]);
    QCOMPARE(run({"runs", "--keep", "kept", name, "--title", "baseline"}).status, 0);
    QVERIFY(run({"runs", "--keep", "kept"}).out.endsWith("  baseline\n"));
    QCOMPARE(run({"runs", "--keep", "kept", name, "--delete"}).status, 0);
    QVERIFY(listed().isEmpty());
    QCOMPARE(run({"runs", "--keep", "kept", name, "--restore"}).status, 0);
    QCOMPARE(listed()[0].toObject()["title"].toString(), QString("baseline"));
  }

  /// Measurements are kept as soon as they are known: the run exists before and after the signal.
  void anInterruptedRunIsKept() {
    QProcess process;
    process.setWorkingDirectory(m_folder->path());
    process.start(programPath(), {"run", "length_extrapolation", "--keep", "kept", "--set", "models=nope", "--set",
                                  "train_steps=60", "--set", "seed_count=16", "--set", "train_threads=1", "--set",
                                  "longest_multiple=2", "--out", "e.csv"});
    QVERIFY(process.waitForStarted());
    const QDir kept(m_folder->filePath("kept"));
    const auto runs = [&] { return kept.entryList({"*.json"}, QDir::Files); };
    QTRY_VERIFY_WITH_TIMEOUT(!runs().isEmpty(), 120000);
    QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 130);
    QCOMPARE(runs().size(), 1);
    const QString name = runs().front().chopped(5);
    QCOMPARE(withoutEstimates(process.readAllStandardError()),
             "vqscope: what was measured so far is kept as run " + name.toUtf8() + "\nvqscope: cancelled\n");
    const QJsonObject run = listed()[0].toObject();
    QVERIFY(!run["complete"].toBool());
    const auto table = this->run({"runs", "--keep", "kept", name});
    QVERIFY2(table.out.contains("nope (did not learn),64,1,0,0,0"), table.out.constData());
    QVERIFY(!QFile::exists(m_folder->filePath("e.csv")));
  }

  /// The sentence of standard output is that of the JSON.
  void saysTheResult() {
    const auto outcome = measure("seed=0");
    QVERIFY2(outcome.out.startsWith("commit_loss ") && outcome.out.endsWith(" 256 tokens)\n"), outcome.out.constData());
    const auto json = run({"run", "vq_theorem_2_2", "--keep", "kept", "--out", "e.json"});
    const QJsonObject result = QJsonDocument::fromJson(contentOf(*m_folder, "e.json")).object();
    QCOMPARE(json.out, result["verdict"].toString().toUtf8() + "\n");
    QVERIFY(json.out.startsWith("the error of scores is "));
    const QString name = nameOf(listed()[0]);
    QVERIFY(!listed()[0].toObject()["verdict"].toString().isEmpty());
    QVERIFY(run({"runs", "--keep", "kept", name}).err.contains("commit_loss") ||
            run({"runs", "--keep", "kept", name}).err.contains("the error of scores"));
    QCOMPARE(run({"run", "vq_theorem_2_2", "--keep", "kept"}).out, json.out);
  }

  void badArgumentsAreRefused() {
    QCOMPARE(run({"runs", "--keep", "kept", "none"}).err,
             QByteArray("vqscope: unknown run none (vqscope runs lists them)\n"));
    QCOMPARE(run({"runs", "--delete"}).err,
             QByteArray("vqscope: runs needs the NAME of a run (vqscope runs lists them)\n"));
  }

  void folderThatCannotBeMadeIsOnlyAWarning() {
    QVERIFY(QFile::exists(writtenFile(*m_folder, "file", "x")));
    const auto outcome = measure("seed=0", "file/kept");
    QCOMPARE(outcome.status, 0);
    QVERIFY2(outcome.err.startsWith("vqscope: warning: the run is not kept: file/kept: cannot create the folder"),
             outcome.err);
    QVERIFY(!contentOf(*m_folder, "e.csv").isEmpty());
  }

 private:
  Outcome run(const QStringList& arguments) const { return runProgram(*m_folder, arguments); }
  Outcome measure(const QString& seed, const QString& folder = "kept") const {
    return run({"run", "vq_error_vs_length", "--set", seed, "--set", "n_code=8", "--set", "steps=3", "--set",
                "train_keys=256", "--set", "length_max=256", "--keep", folder, "--out", "e.csv"});
  }
  QJsonArray listed() const { return QJsonDocument::fromJson(run({"runs", "--keep", "kept", "--json"}).out).array(); }
  static QString nameOf(const QJsonValue& run) { return run.toObject()["name"].toString(); }

  std::unique_ptr<QTemporaryDir> m_folder;
};

VQSCOPE_TEST(RunsCommandTest)
#include "runs_test.moc"
