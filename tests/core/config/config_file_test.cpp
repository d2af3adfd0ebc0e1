// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/model_config.h"

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
    const std::string gguf = written("blob", GgufBytes().text("general.architecture", "llama").bytes());
    const std::string text = written("notes.txt", "GGML");
    QVERIFY(is_model_path("none/config.JSON"));
    QVERIFY(is_model_path("none/model.gguf"));
    QVERIFY(is_model_path(gguf));
    QVERIFY(!is_model_path(text));
    QVERIFY(!is_model_path("/dev/zero"));
    QVERIFY(is_model_path(m_folder.path().toStdString()));
  }

  void contentDecides() {
    const std::string params =
        written("params.json", R"({"dim": 256, "n_layers": 2, "n_heads": 4, "rope_theta": 10000.0})");
    const auto opened = open_model(params);
    QVERIFY(opened);
    COMPARE_TEXT(opened->report.about, "params.json of Mistral's own format");
    // A file of GGUF under a name of JSON is GGUF.
    const std::string gguf = written("config.json", GgufBytes().integer("a", 1).bytes());
    const auto refused = open_model(gguf);
    QVERIFY(!refused);
    QVERIFY(QString::fromStdString(refused.error().message)
                .endsWith(
                    "config.json: the GGUF file has no general.architecture among its 1 values, so it is not a model"));
  }

  /// The head of a file of 5 GiB, most of which is a hole.
  void aLargeFile() {
    const std::string path = written("large.gguf", GgufBytes()
                                                       .text("general.architecture", "llama")
                                                       .integer("llama.context_length", 4096)
                                                       .integer("llama.embedding_length", 512)
                                                       .integer("llama.attention.head_count", 8)
                                                       .bytes());
    QFile file(QString::fromStdString(path));
    if (!file.resize(qint64{5} << 30)) QSKIP("The file system does not allow a file of 5 GiB");
    const auto opened = open_model(path);
    QVERIFY2(opened, opened ? "" : opened.error().message.c_str());
    QCOMPARE(opened->report.ropes.size(), std::size_t{1});
  }

 private:
  std::string written(const QString& name, const std::string& bytes) {
    QFile file(m_folder.filePath(name));
    if (file.open(QIODevice::WriteOnly)) file.write(bytes.data(), static_cast<qint64>(bytes.size()));
    return file.fileName().toStdString();
  }

  QTemporaryDir m_folder;
};

VQSCOPE_TEST(ConfigFileTest)
#include "config_file_test.moc"
