// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/subject/batch_tokens.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QDir>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class BatchTokensTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void ids_in_a_text() {
    QCOMPARE(parse_token_ids(" [1, 2,\n-3] "), (std::vector<Index>{1, 2, -3}));
    QCOMPARE(parse_token_ids("7 8"), (std::vector<Index>{7, 8}));
    for (const char* none : {"", "[]", "The cat", "1 cat", "['1']"}) QVERIFY2(parse_token_ids(none).empty(), none);
  }

  void the_tokenizer_beside_comes_first() {
    const QTemporaryDir folder;
    QDir(folder.path()).mkdir("model");
    const std::string file = folder.filePath("batch.npz").toStdString();
    const std::string config = folder.filePath("model/config.json").toStdString();
    COMPARE_TEXT(tokenizer_of(file, config), "");
    const std::string of_model = writtenFile(folder, "model/tokenizer.json", "{}").toStdString();
    COMPARE_TEXT(tokenizer_of(file, config), of_model);
    COMPARE_TEXT(tokenizer_of(file, {}), "");
    const std::string beside = writtenFile(folder, "tokenizer.json", "{}").toStdString();
    COMPARE_TEXT(tokenizer_of(file, config), beside);
  }

  /// Samples of a safetensors file with the mask.
  void ids_beside_the_mask() {
    const QTemporaryDir folder;
    const QByteArray header = R"({"input_ids":{"dtype":"I32","shape":[2,2],"data_offsets":[0,16]},)"
                              R"("mask":{"dtype":"BOOL","shape":[2,1,2,2],"data_offsets":[16,24]}})";
    QByteArray bytes(8, '\0');
    bytes[0] = static_cast<char>(header.size());
    bytes += header;
    for (const char id : {'\0', '\1', '\1', '\5'}) bytes += QByteArray(1, id) + QByteArray(3, '\0');
    bytes += QByteArray("\1\0\1\1\1\0\1\1", 8);
    const std::string mask = writtenFile(folder, "b.safetensors", bytes).toStdString() + ":mask";
    QVERIFY(batch_token_texts(mask, 0, {}).empty());
    writtenFile(folder, "tokenizer.json", R"({"model": {"vocab": {"The": 0, "cat": 1}}})");
    QCOMPARE(batch_token_texts(mask, 0, {}), (TokenTexts{"The", "cat"}));
    QCOMPARE(batch_token_texts(mask, 1, {}), (TokenTexts{"cat", "[5]"}));
    QVERIFY(batch_token_texts(mask, 2, {}).empty());
  }
};

VQSCOPE_TEST(BatchTokensTest)
#include "batch_tokens_test.moc"
