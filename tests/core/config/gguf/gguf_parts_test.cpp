// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/gguf/gguf_parts.h"

#include "core/config/config_text.h"
#include "core/config/model_config.h"
#include "tests/core/io/gguf/gguf_bytes.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QTest>

#include <memory>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// The first part has the values and the embedding, the second one layer.
GgufBytes firstPart() {
  return GgufBytes()
      .text("general.architecture", "llama")
      .integer("llama.block_count", 1)
      .integer("llama.context_length", 128)
      .integer("llama.embedding_length", 64)
      .integer("llama.attention.head_count", 4)
      .integer("llama.attention.head_count_kv", 2)
      .real("llama.rope.freq_base", 10000)
      .integer("split.no", 0)
      .integer("split.count", 2)
      .shape("token_embd.weight", {100, 64});
}

GgufBytes secondPart(std::uint64_t keys) {
  return GgufBytes()
      .integer("split.no", 1)
      .integer("split.count", 2)
      .shape("blk.0.attn_q.weight", {64, 64})
      .shape("blk.0.attn_k.weight", {keys, 64})
      .shape("blk.0.attn_v.weight", {keys, 64})
      .shape("blk.0.attn_output.weight", {64, 64});
}

std::string findings_of(const ConfigReport& report) {
  std::string all;
  for (const auto& finding : report.findings) all += finding_text(finding) + "\n";
  return all;
}

}  // namespace

class GgufPartsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void names_of_parts() {
    const auto parts = gguf_parts("/m/a-00002-of-00003.gguf");
    QVERIFY(parts);
    COMPARE_TEXT(parts->first, "/m/a-00001-of-00003.gguf");
    QCOMPARE(parts->others.size(), std::size_t{2});
    COMPARE_TEXT(parts->others[1], "/m/a-00003-of-00003.gguf");
    for (const char* name : {"a.gguf", "a-00001-of-00001.gguf", "a-00004-of-00003.gguf", "a-0001-of-0003.gguf",
                             "a00001-of-00003.gguf", "-00001-of-99999.gguf"})
      QVERIFY2(!gguf_parts(name), name);
  }

  /// Whichever part is named, the head of the first and the tensors of all are read.
  void all_parts_are_read() {
    const std::string first = write("a-00001-of-00002.gguf", firstPart());
    const std::string second = write("a-00002-of-00002.gguf", secondPart(32));
    for (const auto& path : {first, second}) {
      const auto opened = open_model(path);
      QVERIFY2(opened, opened ? "" : opened.error().message.c_str());
      COMPARE_TEXT(opened->place.file, first);
      COMPARE_TEXT(opened->report.about, "GGUF version 3 in 2 parts, as llama.cpp reads it");
      COMPARE_TEXT(findings_of(opened->report), "");
    }
    write("a-00002-of-00002.gguf", secondPart(16));
    const auto contradicting = open_model(first);
    QVERIFY(contradicting && contradicting->report.count(ConfigSeverity::error) > 0);
    QVERIFY2(findings_of(contradicting->report).find("head_count_kv") != std::string::npos,
             findings_of(contradicting->report).c_str());
  }

  void a_missing_part_is_named() {
    const auto opened = open_model(write("a-00001-of-00002.gguf", firstPart()));
    QVERIFY(opened);
    QVERIFY2(findings_of(opened->report).find("part a-00002-of-00002.gguf is not read") != std::string::npos,
             findings_of(opened->report).c_str());
    QCOMPARE(opened->report.count(ConfigSeverity::error), Index{0});
    const auto lost = open_model(write("b-00002-of-00002.gguf", secondPart(32)));
    QVERIFY(!lost);
    QVERIFY2(lost.error().message.find("b-00001-of-00002.gguf") != std::string::npos, lost.error().message.c_str());
  }

 private:
  void beforeEach() override { m_folder = std::make_unique<QTemporaryDir>(); }
  std::string write(const char* name, const GgufBytes& bytes) const {
    return writtenFile(*m_folder, name, QByteArray::fromStdString(bytes.bytes())).toStdString();
  }

  std::unique_ptr<QTemporaryDir> m_folder;
};

VQSCOPE_TEST(GgufPartsTest)
#include "gguf_parts_test.moc"
