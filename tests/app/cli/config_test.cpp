// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/program.h"
#include "tests/core/io/gguf/gguf_bytes.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

using namespace vqscope::test;

namespace {

QString preset(const QString& name) {
  return sourcePath(QStringLiteral("resources/configs/") + name + QStringLiteral(".json"));
}

}  // namespace

class ConfigTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void aCleanConfig() {
    const auto outcome = examined({preset("llama-3.1-8b")});
    QCOMPARE(outcome.err, QByteArray());
    QVERIFY(outcome.out.startsWith(
        "llama: rope_type llama3, factor 8, rope_theta 500000, 128 of 128 dimensions rotated in half-split pairs "
        "(i, i + 64), training length 8192; 64 pairs: 29 kept, 6 blended, 29 scaled; attention logits × 1\n"
        "0 errors, 0 warnings, 0 notes\n"));
    QVERIFY(outcome.out.contains("\n  read  rope_scaling.low_freq_factor = 1\n"));
    QCOMPARE(outcome.status, 0);
  }

  void notesAreClean() {
    const auto outcome = examined({preset("deepseek-v3")});
    QVERIFY(outcome.out.contains("\n0 errors, 0 warnings, 2 notes\n"));
    QVERIFY(outcome.out.contains("\n  a reader of cos and sin alone, 163840 tokens: attention logits × 1\n"));
    QCOMPARE(outcome.status, 0);
  }

  void findingsAreLines() {
    write(R"({"hidden_size": 64, "num_attention_heads": 2, "max_position_embeddings": 64,
  "rope_theta": 0})");
    const auto outcome = examined({"config.json"});
    QVERIFY(
        outcome.out.contains("\nline 2: error: rope_theta is 0 but must be a number above 1 and at most "
                             "1000000000000\n1 error, 0 warnings, 0 notes\n"));
    QCOMPARE(outcome.status, 1);
  }

  void standardInput() {
    QFile file(preset("gpt-oss-20b"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto fromFile = examined({preset("gpt-oss-20b")});
    const auto outcome = runProgram(m_folder, {"config", "-"},
                                    [](QProcess& process) { process.setStandardInputFile(preset("gpt-oss-20b")); });
    QCOMPARE(outcome.out, fromFile.out);
    QCOMPARE(outcome.status, 0);
  }

  void json() {
    const auto outcome = examined({preset("qwen2.5-7b-long"), "--json"});
    QCOMPARE(outcome.status, 1);
    const QJsonObject json = QJsonDocument::fromJson(outcome.out).object();
    QCOMPARE(json["kind"].toString(), QString("rope"));
    QCOMPARE(json["model_type"].toString(), QString("qwen2"));
    const QJsonObject finding = json["findings"].toArray()[1].toObject();
    QCOMPARE(finding["severity"].toString(), QString("warning"));
    QCOMPARE(finding["path"].toString(), QString("rope_scaling.factor"));
    QCOMPARE(finding["line"].toInt(), 10);
    const QJsonObject rope = json["ropes"].toArray()[0].toObject();
    QCOMPARE(rope["rope_theta"].toDouble(), 1e6);
    QCOMPARE(rope["pair_layout"].toString(), QString("half_split"));
    QCOMPARE(rope["rotary_dim"].toInt(), 128);
    const QJsonObject layers = json["layers"].toArray()[0].toObject();
    QCOMPARE(layers["name"].toString(), QString("full_attention"));
    QVERIFY(layers["window"].isNull());
    QCOMPARE(rope["kept"].toInt(), 24);
    QCOMPARE(rope["pairs"].toArray().size(), 64);
    QCOMPARE(rope["pairs"].toArray()[63].toObject()["fate"].toString(), QString("scaled"));
    QCOMPARE(rope["implementations"].toArray()[0].toObject()["name"].toString(), QString("Hugging Face"));
    const QJsonObject view = json["views"].toArray()[0].toObject();
    QCOMPARE(view["method"].toString(), QString("rope_phase"));
    QCOMPARE(view["parameters"].toObject()["rope_type"].toString(), QString("yarn"));
    QCOMPARE(json["keys"].toArray()[0].toObject()["use"].toString(), QString("unrelated"));
  }

  void twoConfigs() {
    const auto same = examined({preset("llama-3.1-8b"), preset("llama-3.1-8b")});
    QVERIFY(same.out.endsWith(" mean the same\n"));
    QCOMPARE(same.status, 0);
    const auto outcome = examined({preset("llama-3.1-8b"), preset("gpt-oss-20b"), "--json"});
    QCOMPARE(outcome.status, 1);
    const QJsonObject json = QJsonDocument::fromJson(outcome.out).object();
    QCOMPARE(json["same"].toBool(), false);
    const QJsonArray differences = json["differences"].toArray();
    QVERIFY(differences.size() > 2);
    for (qsizetype i = 1; i < differences.size(); ++i)
      QVERIFY(differences[i - 1].toObject()["weight"].toInt() >= differences[i].toObject()["weight"].toInt());
    QVERIFY(!differences[0].toObject()["meaning"].toString().isEmpty());
    write(R"({"model_type": "llama", "head_dim": 64, "rope_theta": 0, "max_position_embeddings": 128})");
    const auto broken = examined({"config.json", "config.json"});
    QVERIFY2(
        broken.out.startsWith("config.json: line 1: error: rope_theta is 0 but must be") &&
            broken.out.endsWith("as configs, which the errors above contradict, config.json and config.json mean the "
                                "same\n"),
        broken.out);
    QCOMPARE(broken.status, 1);
  }

  void readersInJson() {
    const QJsonObject json = QJsonDocument::fromJson(examined({preset("gpt-oss-20b"), "--json"}).out).object();
    const QJsonObject readers = json["readers"].toObject();
    QCOMPARE(readers["names"].toArray()[0].toString(), QString("Hugging Face 4"));
    const QJsonObject fact = readers["facts"].toArray()[1].toObject();
    QCOMPARE(fact["fact"].toString(), QString("rope_theta"));
    QCOMPARE(fact["cells"].toArray()[0].toObject()["value"].toString(), QString("150000"));
    QCOMPARE(fact["cells"].toArray().size(), readers["names"].toArray().size());
  }

  /// The content of a file decides, whatever its name.
  void ggufByContent() {
    const std::string bytes = GgufBytes()
                                  .text("general.architecture", "qwen2")
                                  .integer("qwen2.block_count", 2)
                                  .integer("qwen2.context_length", 4096)
                                  .integer("qwen2.embedding_length", 512)
                                  .integer("qwen2.attention.head_count", 8)
                                  .real("qwen2.rope.freq_base", 1e6)
                                  .bytes();
    write(QByteArray::fromStdString(bytes), "sha256-1234");
    const auto outcome = examined({"sha256-1234"});
    QCOMPARE(outcome.err, QByteArray());
    QVERIFY2(outcome.out.startsWith("qwen2: rope_type default, rope_theta 1000000, 64 of 64 dimensions rotated"),
             outcome.out);
    QCOMPARE(outcome.status, 0);
    const auto piped = runProgram(m_folder, {"config", "-"}, [this](QProcess& process) {
      process.setStandardInputFile(m_folder.filePath("sha256-1234"));
    });
    QCOMPARE(piped.out, outcome.out);
    QProcess source;  // a pipe has no size, and gives its bytes once
    const auto throughPipe = runProgram(m_folder, {"config", "-"}, [&](QProcess& process) {
      source.setStandardOutputProcess(&process);
      source.start("cat", {m_folder.filePath("sha256-1234")});
    });
    QVERIFY(source.waitForFinished());
    QCOMPARE(throughPipe.err, QByteArray());
    QCOMPARE(throughPipe.out, outcome.out);
  }

  void listsOfRealsAreSet() {
    const auto outcome = runProgram(
        m_folder, {"export", "rope_inv_freq", "--set", "rope_type=longrope", "--set", "head_dim=4", "--set",
                   "rope_theta=100", "--set", "seq_len=8192", "--array", "long_factor=1,2.5", "--out", "f.csv"});
    QCOMPARE(outcome.err, QByteArray());
    QVERIFY2(contentOf(m_folder, "f.csv").contains("\n1,0.04,"), contentOf(m_folder, "f.csv").constData());
  }

  void help() {
    QVERIFY(examined({"--help"}).out.startsWith("vqscope config MODEL|- [MODEL] [--json]\n"));
    QVERIFY(runProgram(m_folder, {"--help"}).out.contains("vqscope config MODEL|- [MODEL] [--json]"));
  }

  void refusals_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("message");
    const auto add = [](const QStringList& arguments, const char* message) {
      QTest::newRow(arguments.join(' ').toLatin1().constData())
          << arguments << "vqscope: " + QByteArray(message) + "\n";
    };
    add({}, "config needs a MODEL, or - for standard input");
    add({"a.json", "b.json", "c.json"}, "config expects one or two models, a.json, b.json and c.json were given");
    add({"-", "-"}, "standard input can be one of the two models only");
    add({"cut.gguf"}, "cut.gguf: the file is cut short: 8 bytes are expected at byte 8, it has 0");
    add({"a.json", "--jsn"}, "unknown option --jsn; did you mean --json?");
    add({"none.json"}, "none.json: No such file or directory");
    add({"empty"}, "empty: the directory has no config.json, params.json or GGUF file");
    add({"list.json"},
        "list.json: line 1, column 1: a model's config must be a JSON object, found a list of 2 "
        "items");
    add({"cut.json"}, "cut.json: line 1, column 15: the text ends, expected a JSON value");
  }

  void refusals() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, message);
    QDir(m_folder.path()).mkdir("empty");
    write("[1, 2]", "list.json");
    write("{\"rope_theta\":", "cut.json");
    write(QByteArray("GGUF\3\0\0\0", 8), "cut.gguf");
    const auto outcome = examined(arguments);
    QCOMPARE(outcome.err, message);
    QCOMPARE(outcome.out, QByteArray());
    QCOMPARE(outcome.status, 2);
  }

 private:
  Outcome examined(const QStringList& arguments) const {
    return runProgram(m_folder, QStringList{"config"} + arguments);
  }
  void write(const QByteArray& text, const QString& name = QStringLiteral("config.json")) const {
    QFile file(m_folder.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
  }

  QTemporaryDir m_folder;
};

VQSCOPE_TEST(ConfigTest)
#include "config_test.moc"
