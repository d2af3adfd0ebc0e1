// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/subject/tokenizer.h"

#include "core/base/text.h"
#include "core/io/json/json_value.h"
#include "tests/support/compare.h"
#include "tests/support/environment.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

const std::string byteLevel = R"({"added_tokens": [{"id": 6, "content": "<|end|>"}],
  "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "Split"}, {"type": "ByteLevel"}]},
  "model": {"type": "BPE", )"
                              "\"merges\": [[\"a\", \"]\"], [\"\\\"\", \"}\"]],"
                              R"(
            "vocab": {"a": 0, "\u0120the": 1, "\u010a": 2, "\u00c3\u00a9": 3, "\u00e2\u0124": 4}}})";

const std::string sentencePiece = R"({"added_tokens": [{"id": 0, "content": "<unk>"}],
  "decoder": {"type": "Sequence", "decoders": [{"type": "Replace", "pattern": {"String": "\u2581"}, "content": " "},
    {"type": "ByteFallback"}, {"type": "Fuse"}]},
  "model": {"type": "BPE", "vocab": {"<unk>": 0, "<0x0A>": 1, "\u2581the\u2581": 2, "<0xE2>": 3}, "merges": ["a b"]}})";

std::string textsOf(const std::string& json, const std::vector<Index>& ids) {
  const auto tokenizer = Tokenizer::read(json);
  if (!tokenizer) return tokenizer.error().message;
  return token_list(*tokenizer->texts(ids));
}

/// The characters for bytes as GPT-2's encoder makes them.
std::string byteLevelText(std::string_view bytes) {
  std::string text;
  for (const char each : bytes) {
    const int byte = static_cast<unsigned char>(each);
    const auto printable = [](int b) { return (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || b >= 174; };
    int code = byte;
    if (!printable(byte)) {
      code = 256;
      for (int before = 0; before < byte; ++before) code += printable(before) ? 0 : 1;
    }
    append_utf8(text, static_cast<char32_t>(code));
  }
  return text;
}

}  // namespace

class TokenizerTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void byte_level() {
    COMPARE_TEXT(textsOf(byteLevel, {0, 1, 2, 3, 4, 6, 5, -100}),
                 R"(["a"," the","\n","é","<0xE2><0x82>","<|end|>","[5]","[-100]"])");
  }

  void pieces_with_fallback_to_bytes() {
    COMPARE_TEXT(textsOf(sentencePiece, {0, 1, 2, 3}), R"(["<unk>","\n"," the ","<0xE2>"])");
  }

  void other_models() {
    COMPARE_TEXT(textsOf(R"({"model": {"type": "WordPiece", "vocab": {"in": 0, "##g": 1}}})", {0, 1}),
                 R"(["in","##g"])");
    COMPARE_TEXT(textsOf(R"({"decoder": {"type": "Metaspace"}, "model": {"type": "Unigram",
                             "vocab": [["<pad>", 0], ["\u2581a", -1.5]]}})",
                         {0, 1}),
                 R"(["<pad>"," a"])");
  }

  void unknown_ids() {
    const auto tokenizer = Tokenizer::read(byteLevel);
    const std::vector<Index> ids{0, 5, 9};
    QCOMPARE(*tokenizer->first_unknown(ids), Index{5});
    QVERIFY(!tokenizer->first_unknown(std::vector<Index>{0, 6}));
    QCOMPARE(tokenizer->size(), Index{7});
    COMPARE_ERROR(tokenizer->texts(std::vector<Index>(most_token_texts + 1)),
                  "there are 16385 token ids, at most 16384 are shown as texts");
  }

  /// Any bytes come back from their characters.
  void any_bytes() {
    Random random(7);
    for (int i = 0; i < rounds(200); ++i) {
      std::string bytes;
      for (Index length = pick(random, 1, 6); length > 0; --length) bytes += static_cast<char>(pick(random, 0, 127));
      const std::string json = indented_json(
          JsonObject{{"decoder", JsonObject{{"type", "ByteLevel"}}},
                     {"model", JsonObject{{"merges", JsonArray{}}, {"vocab", JsonObject{{byteLevelText(bytes), 0}}}}}});
      const auto tokenizer = Tokenizer::read(json);
      QVERIFY2(tokenizer, json.c_str());
      COMPARE_TEXT(tokenizer->text(0), bytes);
    }
  }

  void errors_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("sentence");
    QTest::newRow("a config") << QByteArray(R"({"hidden_size": 3})")
                              << QByteArray("it has no model.vocab, so it is no tokenizer.json");
    QTest::newRow("an id") << QByteArray(R"({"model": {"vocab": {"a": -1}}})")
                           << QByteArray(
                                  "line 1, column 27: the id of token a must be a whole number from 0 to 999999");
    QTest::newRow("a large id") << QByteArray(R"({"model": {"vocab": {"a": 1e15}}})")
                                << QByteArray(
                                       "line 1, column 27: the id of token a must be a whole number from 0 to 999999");
    QTest::newRow("an item") << QByteArray(R"({"model": {"vocab": [3]}})")
                             << QByteArray("line 1, column 22: item 0 of model.vocab must be a text and a score");
    for (const char* cut : {"{\"model\": {\"merges\": [", "{\"merges\"", "{\"merges\": ", "\"merges\":[\"", "{\"\\"})
      QTest::newRow(cut) << QByteArray(cut) << QByteArray();
  }
  void errors() {
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, sentence);
    const auto refused = Tokenizer::read(json.toStdString());
    QVERIFY(!refused);
    if (!sentence.isEmpty()) COMPARE_TEXT(refused.error().message, sentence.toStdString());
  }

  void files() {
    const QTemporaryDir folder;
    const std::string file = folder.filePath("ids.npy").toStdString();
    COMPARE_TEXT(tokenizer_beside(file), "");
    const std::string json = writtenFile(folder, "tokenizer.json", byteLevel.c_str()).toStdString();
    COMPARE_TEXT(tokenizer_beside(file), json);
    COMPARE_TEXT(tokenizer_in(folder.path().toStdString()), json);
    QCOMPARE(Tokenizer::open(json)->size(), Index{7});
    const std::string broken = writtenFile(folder, "broken.json", "{").toStdString();
    QVERIFY(Tokenizer::open(broken).error().message.starts_with(broken + ": line 1"));
    QVERIFY(looks_like_tokenizer("a", "\n {") && !looks_like_tokenizer("a", "The cat"));
    QVERIFY(looks_like_tokenizer("b/vocab.txt", "The"));
  }

  void a_vocabulary_of_ids() {
    const QTemporaryDir folder;
    const std::string file =
        writtenFile(folder, "vocab.json", R"({"a": 0, "\u0120the": 1, "\u00e2\u0124": 3})").toStdString();
    COMPARE_TEXT(tokenizer_in(folder.path().toStdString()), file);
    const std::vector<Index> ids{0, 1, 2, 3};
    COMPARE_TEXT(token_list(*Tokenizer::open(file)->texts(ids)), R"(["a"," the","[2]","<0xE2><0x82>"])");
    writtenFile(folder, "added_tokens.json", R"({"<pad>": 2})");
    COMPARE_TEXT(token_list(*Tokenizer::open(file)->texts(ids)), R"(["a"," the","<pad>","<0xE2><0x82>"])");
    writtenFile(folder, "vocab.json", R"({"hidden_size": -3})");
    COMPARE_TEXT(Tokenizer::open(file).error().message,
                 file + ": line 1, column 17: the id of token hidden_size must be a whole number from 0 to 999999");
    writtenFile(folder, "vocab.json", "[]");
    COMPARE_TEXT(Tokenizer::open(file).error().message, file + ": it must be an object of tokens and their ids");
  }

  void a_vocabulary_of_lines() {
    const QTemporaryDir folder;
    const std::string file = writtenFile(folder, "vocab.txt", "[PAD]\r\nto\n##g\n").toStdString();
    writtenFile(folder, "tokenizer_config.json",
                R"({"added_tokens_decoder": {"4": {"content": "<x>"}, "a": {"content": "y"}, "5": {}}})");
    const std::vector<Index> ids{0, 1, 2, 3, 4};
    COMPARE_TEXT(token_list(*Tokenizer::open(file)->texts(ids)), R"(["[PAD]","to","##g","[3]","<x>"])");
  }

  void a_file_that_is_no_text() {
    const QTemporaryDir folder;
    const std::string file =
        writtenFile(folder, "tokenizer.model", QByteArray("\n\x0e\n\x05<unk>\x15\0\0", 12)).toStdString();
    const std::string expected =
        " but must be texts of tokens, a tokenizer.json, a vocab.json or a vocab.txt; a SentencePiece model is not "
        "read";
    COMPARE_TEXT(Tokenizer::open(file).error().message, file + " is a binary file of no known kind" + expected);
    COMPARE_TEXT(check_token_file("a.txt", "").error().message, "a.txt is empty" + expected);
    COMPARE_TEXT(check_token_file("a.txt", "<!DOCTYPE html><p>").error().message, "a.txt is an HTML page" + expected);
    QVERIFY(check_token_file("a", "The cat") && check_token_file("a", "['a']") && check_token_file("a", "1 2\n3 4\n"));
  }
};

VQSCOPE_TEST(TokenizerTest)
#include "tokenizer_test.moc"
