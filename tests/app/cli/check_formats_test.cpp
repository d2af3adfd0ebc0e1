// SPDX-License-Identifier: GPL-3.0-or-later
// `vqscope check --format` and `--baseline`.
#include "tests/app/program.h"
#include "tests/support/needs_lab.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>
#include <QXmlStreamReader>

using namespace vqscope;
using namespace vqscope::test;

class CheckFormatsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() {
    writtenFile(m_folder, "leak.py", "def mask_mod(b, h, q_idx, kv_idx):\n    return kv_idx <= q_idx + 1\n");
    writtenFile(m_folder, "causal.py", "def mask_mod(b, h, q_idx, kv_idx):\n    return kv_idx <= q_idx\n");
  }

  void workflowCommands() {
    const auto outcome = checked("github");
    QCOMPARE(outcome.status, 1);
    QVERIFY2(outcome.out.startsWith("::error file=leak.py,line=2,col="), outcome.out.constData());
    QVERIFY(outcome.out.contains(",title=future_visible::row 0 sees key 1: "));
    QVERIFY(outcome.out.contains("\n1 error, 0 warnings; "));
  }

  void sarif() {
    const auto outcome = checked("sarif");
    QCOMPARE(outcome.status, 1);
    const QJsonObject log = QJsonDocument::fromJson(outcome.out).object();
    QCOMPARE(log["version"].toString(), QString("2.1.0"));
    const QJsonObject run = log["runs"].toArray().first().toObject();
    const QJsonArray rules = run["tool"]["driver"]["rules"].toArray();
    QVERIFY(rules.size() > 30);
    const QJsonObject result = run["results"].toArray().first().toObject();
    QCOMPARE(result["ruleId"].toString(), QString("future_visible"));
    QCOMPARE(rules[result["ruleIndex"].toInt(-1)]["id"], result["ruleId"]);
    QCOMPARE(result["level"].toString(), QString("error"));
    const QJsonObject physical = result["locations"].toArray().first()["physicalLocation"].toObject();
    QCOMPARE(physical["artifactLocation"]["uri"].toString(), QString("leak.py"));
    QCOMPARE(physical["region"]["startLine"].toInt(), 2);
    QCOMPARE(result["partialFingerprints"]["vqscope/v1"].toString().size(), 16);
    const auto asked = QJsonDocument::fromJson(outcomeOf({"check", "--set", "mask=bidirectional", "--set", "q_length=8",
                                                          "--array", "document_lengths=4,4", "--format", "sarif"})
                                                   .out);
    for (const QJsonValue each : asked["runs"].toArray().first()["results"].toArray())
      QCOMPARE(each["kind"].toString() == "open", each["level"].toString() == "none");
  }

  /// One test case a rule.
  void junit() {
    const auto outcome = checked("junit");
    QCOMPARE(outcome.status, 1);
    QXmlStreamReader xml(outcome.out);
    int cases = 0, failures = 0, skipped = 0, said = 0;
    for (; !xml.atEnd(); xml.readNext()) {
      if (!xml.isStartElement()) continue;
      if (xml.name() == QLatin1String("testsuite")) said = xml.attributes().value("tests").toInt();
      cases += xml.name() == QLatin1String("testcase") ? 1 : 0;
      skipped += xml.name() == QLatin1String("skipped") ? 1 : 0;
      if (xml.name() != QLatin1String("failure")) continue;
      ++failures;
      QVERIFY(xml.attributes().value("message").startsWith(QLatin1String("row 0 sees key 1: ")));
    }
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    QCOMPARE(cases, said);
    QCOMPARE(failures, 1);
    QVERIFY(skipped > 0);
  }

  /// Another length has the same finding; another mask keeps its own.
  void aBaselineOfKnownFindings() {
    const QStringList known{"check", "leak.py", "--objective", "causal", "--baseline", "known.json"};
    QCOMPARE(outcomeOf(known).status, 2);
    QCOMPARE(outcomeOf(known + QStringList{"--write-baseline", "--set", "q_length=8"}).status, 0);
    const auto outcome = outcomeOf(known + QStringList{"--set", "q_length=9"});
    QCOMPARE(outcome.status, 0);
    QVERIFY2(outcome.out.endsWith("\n1 known finding in known.json\n"), outcome.out.constData());
    QVERIFY(!outcome.out.contains("future_visible"));
    const auto sarif = QJsonDocument::fromJson(outcomeOf(known + QStringList{"--format", "sarif"}).out);
    QCOMPARE(sarif["runs"].toArray().first()["results"].toArray().first()["baselineState"].toString(),
             QString("unchanged"));
    QCOMPARE(outcomeOf({"check", "causal.py", "--baseline", "known.json", "--write-baseline"}).status, 0);
    QCOMPARE(outcomeOf(known).status, 0);
    writtenFile(m_folder, "other.py", contentOf(m_folder, "leak.py"));
    QCOMPARE(outcomeOf({"check", "other.py", "--objective", "causal", "--baseline", "known.json"}).status, 1);
  }

  void refusals_data() {
    writtenFile(m_folder, "none.json", "{}");
    addRefusals({{{"check", "--format", "sarf"},
                  "--format is sarf but must be one of text, json, sarif, junit, github; did you mean sarif?"},
                 {{"check", "--json", "--format", "junit"}, "--json and --format junit exclude each other"},
                 {{"check", "--write-baseline"}, "--write-baseline needs --baseline FILE"},
                 {{"check", "--baseline", "none.json"},
                  "none.json is not a baseline of vqscope check: it has no list known_findings"}});
  }
  void refusals() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, message);
    compareRefused(outcomeOf(arguments), message);
  }

  void testsOfAModel() {
    NEEDS_LAB();
    const QStringList tests{"run", "mask_test", "--mask", "leak.py", "--keep", "runs", "--tests"};
    const auto outcome = outcomeOf(tests + QStringList{"github"});
    QCOMPARE(outcome.status, 1);
    QVERIFY2(outcome.out.startsWith("::error file=leak.py,title=future_token::logits differ from token "),
             outcome.out.constData());
    QVERIFY(
        outcomeOf(tests + QStringList{"junit"}).out.contains("<testcase classname=\"leak.py\" name=\"future_token\""));
    QCOMPARE(outcomeOf({"run", "vq_model", "--tests", "junit", "--out", "a.json"}).err,
             QByteArray("vqscope: --tests is for mask_test, vq_model has no tests\n"));
  }

  /// The script that the action and the hook run.
  void manyFiles() {
    const QStringList options{"--format=github", "--objective", "causal", "-q"};
    const auto outcome = scriptOf(options + QStringList{"causal.py", "leak.py", "causal.py"});
    QCOMPARE(outcome.status, 1);
    QCOMPARE(outcome.out.count("::error"), 1);
    QCOMPARE(scriptOf({"--strict", "--", "causal.py"}).status, 0);
    for (const QStringList& nothing : {options, QStringList{"--objective"}, QStringList()})
      QCOMPARE(scriptOf(nothing).err, QByteArray("check_masks.sh needs the masks to check\n"));
  }

 private:
  Outcome outcomeOf(const QStringList& arguments) { return runProgram(m_folder, arguments); }
  Outcome scriptOf(const QStringList& arguments) {
    QProcess process;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("VQSCOPE", programPath());
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(m_folder.path());
    process.start(sourcePath("resources/ci/check_masks.sh"), arguments);
    if (!process.waitForFinished(120'000)) return {};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
  }
  Outcome checked(const char* format) {
    return outcomeOf({"check", "leak.py", "--objective", "causal", "--set", "q_length=8", "--format", format});
  }

  QTemporaryDir m_folder;
};

VQSCOPE_TEST(CheckFormatsTest)
#include "check_formats_test.moc"
