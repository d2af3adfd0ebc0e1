// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/import/config_file.h"

#include "tests/core/io/gguf/gguf_bytes.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class ConfigFileTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void filesByNameAndContent() {
    const QString gguf = written("blob", GgufBytes().text("general.architecture", "llama").bytes());
    const QString text = written("notes.txt", "GGML");
    QVERIFY(isConfigFile("none/config.JSON"));
    QVERIFY(isConfigFile("none/model.gguf"));
    QVERIFY(isConfigFile(gguf));
    QVERIFY(!isConfigFile(text));
    QVERIFY(!isConfigFile("/dev/zero"));
    QVERIFY(!isConfigFile(m_folder.path()));
  }

  void contentDecides() {
    const QString params =
        written("params.json", R"({"dim": 256, "n_layers": 2, "n_heads": 4, "rope_theta": 10000.0})");
    const auto report = readConfigFile(params);
    QVERIFY(report);
    COMPARE_TEXT(report->about, "params.json of Mistral's own format");
    // A file of GGUF under a name of JSON is GGUF.
    const QString gguf = written("config.json", GgufBytes().integer("a", 1).bytes());
    const auto refused = readConfigFile(gguf);
    QVERIFY(!refused);
    QVERIFY(QString::fromStdString(refused.error().message)
                .endsWith(
                    "config.json: the GGUF file has no general.architecture among its 1 values, so it is not a model"));
  }

  /// The head of a file of 5 GiB, most of which is a hole.
  void aLargeFile() {
    const QString path = written("large.gguf", GgufBytes()
                                                   .text("general.architecture", "llama")
                                                   .integer("llama.context_length", 4096)
                                                   .integer("llama.embedding_length", 512)
                                                   .integer("llama.attention.head_count", 8)
                                                   .bytes());
    QFile file(path);
    if (!file.resize(qint64{5} << 30)) QSKIP("The file system does not allow a file of 5 GiB");
    const auto report = readConfigFile(path);
    QVERIFY2(report, report ? "" : report.error().message.c_str());
    QCOMPARE(report->ropes.size(), std::size_t{1});
  }

 private:
  QString written(const QString& name, const std::string& bytes) {
    QFile file(m_folder.filePath(name));
    if (file.open(QIODevice::WriteOnly)) file.write(bytes.data(), static_cast<qint64>(bytes.size()));
    return file.fileName();
  }

  QTemporaryDir m_folder;
};

VQSCOPE_TEST(ConfigFileTest)
#include "config_file_test.moc"
