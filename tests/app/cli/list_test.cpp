// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/experiment_presets.h"
#include "core/catalogue/gallery.h"
#include "core/catalogue/registry.h"
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

using namespace vqscope;
using namespace vqscope::test;

class ListTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void jsonDescribesEveryParameter() {
    const auto listed = runProgram(m_folder, {"list", "--json"});
    QCOMPARE(listed.status, 0);
    QCOMPARE(listed.err, QByteArray());
    const QJsonArray methods = QJsonDocument::fromJson(listed.out).object()["methods"].toArray();
    QVERIFY(methods.size() >= 2);
    for (const auto& method : methods) {
      const QJsonObject object = method.toObject();
      for (const char* key : {"id", "title", "category", "help", "kind"})
        QVERIFY2(!object[QLatin1String(key)].toString().isEmpty(), key);
      QVERIFY(!object["citation"]["paper"].toString().isEmpty());
      for (const auto& parameter : object["parameters"].toArray()) {
        QVERIFY(!parameter.toObject()["name"].toString().isEmpty());
        QVERIFY(!parameter.toObject()["default"].isUndefined());
      }
    }
  }

  void jsonDescribesAParameterCompletely() {
    const auto listed = runProgram(m_folder, {"list", "t5_bucket", "--json"});
    const auto method = QJsonDocument::fromJson(listed.out).object()["methods"].toArray().first().toObject();
    const QJsonObject length = method["parameters"].toArray().first().toObject();
    QCOMPARE(length["name"].toString(), QString("q_length"));
    QCOMPARE(length["kind"].toString(), QString("integer"));
    QCOMPARE(length["default"].toInteger(), 512);
    QCOMPARE(length["maximum"].toInteger(), qint64{2147483648});
  }

  void theGallery() {
    const auto lines = runProgram(m_folder, {"list", "--gallery"}).out.trimmed().split('\n');
    QCOMPARE(lines.size(), static_cast<qsizetype>(gallery_entries().size()));
    QVERIFY(lines[0].startsWith("window_off_by_one ") && lines[0].contains(" visibility ") &&
            lines[0].endsWith("  Window off by one"));
    const auto json = QJsonDocument::fromJson(runProgram(m_folder, {"list", "--gallery", "--json"}).out).object();
    const QJsonArray gallery = json["gallery"].toArray();
    QCOMPARE(gallery.size(), lines.size());
    const QJsonObject first = gallery.first().toObject();
    QCOMPARE(first["values"]["q_length"].toInteger(), 512);
    QCOMPARE(first["compare"].toString(), QString("difference"));
    QVERIFY(!first["try"].toString().isEmpty() && !first["other"]["mask_text"].toString().isEmpty());
    QCOMPARE(runProgram(m_folder, {"list", "--gallery", "--presets"}).err,
             QByteArray("vqscope: --gallery and --presets exclude each other\n"));
    QCOMPARE(runProgram(m_folder, {"list", "alibi", "--gallery"}).err,
             QByteArray("vqscope: unexpected METHOD alibi: --gallery lists all entries\n"));
  }

  void listHasOneLinePerMethod() {
    const auto listed = runProgram(m_folder, {"list"});
    QCOMPARE(listed.status, 0);
    const auto lines = listed.out.trimmed().split('\n');
    const auto count = static_cast<qsizetype>(methods().size());
    QCOMPARE(lines.size(), count + 1);
    QVERIFY2(lines[0].startsWith("t5_bucket "), lines[0].constData());
    for (qsizetype i = 0; i < lines.size(); ++i) {
      const auto& method = i < count ? methods()[static_cast<std::size_t>(i)] : file_methods().front();
      QVERIFY2(lines[i].startsWith(QByteArray::fromStdString(method.id + "  ")) ||
                   lines[i].startsWith(QByteArray::fromStdString(method.id + " ")),
               lines[i].constData());
      QVERIFY2(lines[i].endsWith(QByteArray::fromStdString("  " + method.title)), lines[i].constData());
      QVERIFY2(QString::fromUtf8(lines[i]).size() <= 120, lines[i].constData());
    }
  }

  void presetsOfExperiments() {
    NEEDS_LAB();
    const auto listed = runProgram(m_folder, {"list", "--presets"});
    QCOMPARE(listed.status, 0);
    const auto lines = listed.out.trimmed().split('\n');
    QCOMPARE(lines.size(), static_cast<qsizetype>(experiment_presets().size()));
    QVERIFY(listed.out.contains("length_extrapolation   PI, NTK or YaRN without fine-tuning?\n"));
    QVERIFY(listed.out.contains("How many codewords?  (also :quick)\n"));
    const auto own = runProgram(m_folder, {"list", "vq_model", "--presets", "--json"});
    const auto presets = QJsonDocument::fromJson(own.out)["presets"].toArray();
    QCOMPARE(presets.size(), 3);
    QCOMPARE(presets[0]["experiment"].toString(), QString("vq_model"));
    QCOMPARE(presets[1]["parameters"]["overlay"].toString(), QString("transformer_vq"));
    QVERIFY(runProgram(m_folder, {"list", "vq_model"}).out.contains("  --preset vq_codebook_size: "));
  }

  void theSurvey() {
    const auto text = runProgram(m_folder, {"list", "--survey"});
    QCOMPARE(text.status, 0);
    QVERIFY(text.out.contains("\nRoPE scalings\n\nlinear  Position interpolation (PI)\n"));
    const auto csv = runProgram(m_folder, {"list", "--survey", "--csv"});
    QVERIFY(csv.out.startsWith("id,title,group,method,values,relative,"));
    const auto json = runProgram(m_folder, {"list", "--survey", "--json"});
    QVERIFY(QJsonDocument::fromJson(json.out)["survey"].toArray().size() >= 25);
    QVERIFY(runProgram(m_folder, {"list", "--csv"}).err.contains("--csv needs --survey"));
    QVERIFY(runProgram(m_folder, {"list", "--survey", "alibi"}).err.contains("unexpected METHOD alibi"));
  }

  /// The words of the survey, which NoPE and FIRE have of their own.
  void methodListsItsPositions() {
    const auto has_text = [&](const char* method, const char* words) {
      return runProgram(m_folder, {"list", method}).out.contains("\n  " + QByteArray(words) + ", ");
    };
    QVERIFY(has_text("nope", "No positions") && has_text("fire", "Relative and absolute") &&
            has_text("alibi", "Relative"));
    QVERIFY(has_text("sinusoidal", "Absolute") &&
            has_text("randomized_positions", "As its encoding, at sampled positions"));
  }

  void aMethodWithItsRanges() {
    const auto listed = runProgram(m_folder, {"list", "t5_bucket"});
    QCOMPARE(listed.status, 0);
    QVERIFY(listed.out.startsWith("t5_bucket  (buckets, matrix)\n"));
    QVERIFY(listed.out.contains("num_buckets = 32\n"));
    QVERIFY(listed.out.contains("an integer from 2 to 4096"));
    QVERIFY(listed.out.contains("Raffel et al. 2020"));
    QVERIFY(runProgram(m_folder, {"list", "alibi", "kerple_log"}).out.contains("\nkerple_log  (biases, matrix)\n"));
  }

  void aRunWithItsInputs() {
    NEEDS_LAB();
    const auto listed = runProgram(m_folder, {"list", "vq_attention"});
    QVERIFY(listed.out.startsWith("vq_attention  (experiments, run)\n"));
    QVERIFY(listed.out.contains("--array q=TENSOR\n"));
    QVERIFY(listed.out.contains("--array codebook=TENSOR  (optional)\n"));
    const auto json = runProgram(m_folder, {"list", "vq_attention", "--json"}).out;
    const auto method = QJsonDocument::fromJson(json)["methods"].toArray().first().toObject();
    QCOMPARE(method["kind"].toString(), QString("run"));
    QCOMPARE(method["inputs"].toArray().first().toObject()["name"].toString(), QString("q"));
    QVERIFY(method["inputs"].toArray().first().toObject()["required"].toBool());
    QCOMPARE(method["outputs"].toArray().last().toObject()["suffix"].toString(), QString("json"));
  }

  void helpAndVersion() {
    const auto help = runProgram(m_folder, {"--help"});
    QCOMPARE(help.status, 0);
    QVERIFY(help.out.count('\n') <= 30);
    QVERIFY(runProgram(m_folder, {"export", "--help"}).out.contains("--colour-map"));
    const QByteArray version = runProgram(m_folder, {"--version"}).out;
    QVERIFY(version.startsWith("vqscope 0."));
    for (const char* option : {"-V", "-v"}) QCOMPARE(runProgram(m_folder, {option}).out, version);
    for (const QStringList& words : {QStringList{"help"}, {"-h"}, {"help", "--help"}, {"help", "help"}})
      QCOMPARE(runProgram(m_folder, words).out, help.out);
    QCOMPARE(runProgram(m_folder, {"help", "export"}).out, runProgram(m_folder, {"export", "--help"}).out);
  }

  void errors() {
    const auto refused = [&](const QStringList& arguments) {
      const auto outcome = runProgram(m_folder, arguments);
      return outcome.status == 2 && outcome.out.isEmpty() ? outcome.err : QByteArray("accepted");
    };
    QCOMPARE(refused({"exprot"}),
             QByteArray("vqscope: unknown command exprot; did you mean export? (vqscope --help shows all)\n"));
    QCOMPARE(refused({"--versoin"}),
             QByteArray("vqscope: unknown option --versoin; did you mean --version? (vqscope --help shows all)\n"));
    QCOMPARE(refused({"help", "exprot"}),
             QByteArray("vqscope: unknown command exprot; did you mean export? (vqscope --help shows all)\n"));
    QCOMPARE(refused({"help", "export", "row"}),
             QByteArray("vqscope: help expects one COMMAND, export and row were given\n"));
    QCOMPARE(refused({"list", "--jsno"}), QByteArray("vqscope: unknown option --jsno; did you mean --json?\n"));
    QCOMPARE(
        refused({"list", "t5_buket"}),
        "vqscope: unknown method t5_buket; did you mean t5_bucket? (vqscope list shows all" + test::left_out() + ")\n");
  }

  /// The window does not open on them.
  void filesThatDoNotGoTogetherAreRefused() {
    if (!makesFigures()) QSKIP("This program has no window");
    const auto refused = [&](const QStringList& files) {
      const auto outcome = runProgram(m_folder, files, [](QProcess& process) {
        auto environment = process.processEnvironment();
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        process.setProcessEnvironment(environment);
      });
      // Qt may remark on the machine before it.
      return outcome.status == 2 ? outcome.err.mid(outcome.err.indexOf("vqscope: ")) : QByteArray("accepted");
    };
    QCOMPARE(refused({"a.vqscope", "b.vqscope"}),
             QByteArray("vqscope: cannot read a.vqscope: No such file or directory\n"));
    for (const char* name : {"a.py", "b.py"}) writtenFile(m_folder, name, "return q_idx >= kv_idx\n");
    QCOMPARE(refused({"a.py", "b.py"}),
             QByteArray("vqscope: a.py, b.py cannot be opened together; several files must be q, k and v by their "
                        "names or shapes, two models or two captures\n"));
    QCOMPARE(refused({"a.json", "b.json", "c.json"}),
             QByteArray("vqscope: 3 models were given; give one, or two to compare\n"));
  }

  /// Qt takes its own options of one dash; the window does not open on others.
  void unknownOptionsAreRefused() {
    const auto outcome = runProgram(m_folder, {"-x"}, [](QProcess& process) {
      auto environment = process.processEnvironment();
      environment.insert("QT_QPA_PLATFORM", "offscreen");
      process.setProcessEnvironment(environment);
    });
    QCOMPARE(outcome.status, 2);
    QCOMPARE(outcome.err.mid(outcome.err.indexOf("vqscope: ")),
             QByteArray("vqscope: unknown option -x (vqscope --help shows all)\n"));
  }

  void fullStandardOutputIsAnError() {
    const auto outcome = runProgram(m_folder, {"list"}, [](QProcess& p) { p.setStandardOutputFile("/dev/full"); });
    QCOMPARE(outcome.status, 2);
    QCOMPARE(outcome.err, QByteArray("vqscope: cannot write to standard output: the disk is full\n"));
  }

 private:
  QTemporaryDir m_folder;
};

VQSCOPE_TEST(ListTest)
#include "list_test.moc"
