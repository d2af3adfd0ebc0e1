// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/gguf/gguf.h"

#include "tests/core/io/gguf/gguf_bytes.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::string refusal(const std::string& bytes) {
  const auto head = read_gguf_head(MemorySource(bytes));
  return head ? "" : head.error().message;
}

/// The beginning of a file with one value.
std::string one_value(const std::string& rest, std::uint64_t tensors = 0) {
  return "GGUF" + little(3, 4) + little(tensors, 8) + little(1, 8) + rest;
}

GgufBytes small_file() {
  return GgufBytes()
      .text("general.architecture", "llama")
      .integer("llama.block_count", 2)
      .real("llama.rope.freq_base", 500000)
      .boolean("llama.attention.causal", true)
      .integers("llama.attention.head_count", {8, 4})
      .texts("tokenizer.ggml.tokens", {"a", "bc", ""})
      .tensor("a.weight", {1, 2, 3})
      .tensor("rope_freqs.weight", {1, 8});
}

}  // namespace

class GgufTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void values_and_tensors() {
    const std::string bytes = small_file().bytes();
    const MemorySource source(bytes);
    const auto head = read_gguf_head(source);
    QVERIFY2(head, head ? "" : head.error().message.c_str());
    QCOMPARE(head->version, 3U);
    COMPARE_TEXT(std::get<std::string>(head->find("general.architecture")->value), "llama");
    QCOMPARE(std::get<Index>(head->find("llama.block_count")->value), Index{2});
    QCOMPARE(std::get<double>(head->find("llama.rope.freq_base")->value), 500000.0);
    QCOMPARE(std::get<bool>(head->find("llama.attention.causal")->value), true);
    QCOMPARE(std::get<std::vector<double>>(head->find("llama.attention.head_count")->value),
             (std::vector<double>{8, 4}));
    QCOMPARE(std::get<GgufLongArray>(head->find("tokenizer.ggml.tokens")->value).count, std::uint64_t{3});
    QCOMPARE(head->tensors.size(), std::size_t{2});
    QCOMPARE(head->tensors[0].offset % 32, std::uint64_t{0});
    const auto numbers = read_gguf_numbers(source, *head->find_tensor("rope_freqs.weight"), 64);
    QVERIFY(numbers);
    QCOMPARE(*numbers, (std::vector<double>{1, 8}));
    QVERIFY(head->find("none") == nullptr);
  }

  /// Half precision: 1.5 is 0x3e00, the smallest number above 0 is 2^-24; BF16 is the upper half of
  /// a float.
  void small_types() {
    const std::string bytes = little(0x3e00, 2) + little(1, 2) + little(0x3fc0, 2);
    const MemorySource source(bytes);
    const GgufTensor halves{.name = "h", .shape = {2}, .type = 1, .offset = 0};
    QCOMPARE(*read_gguf_numbers(source, halves, 8), (std::vector<double>{1.5, std::ldexp(1.0, -24)}));
    const GgufTensor brain{.name = "b", .shape = {1}, .type = 30, .offset = 4};
    QCOMPARE(*read_gguf_numbers(source, brain, 8), (std::vector<double>{1.5}));
    const GgufTensor beyond{.name = "b", .shape = {1}, .type = 0, .offset = 4};
    COMPARE_TEXT(read_gguf_numbers(source, beyond, 8).error().message, "tensor b ends at byte 8, the file has 6");
    const GgufTensor packed{.name = "q", .shape = {1}, .type = 12, .offset = 0};
    COMPARE_TEXT(read_gguf_numbers(source, packed, 8).error().message,
                 "tensor q is of ggml type 12 but must be 0 (F32), 1 (F16) or 30 (BF16)");
    const GgufTensor large{
        .name = "l", .shape = {std::uint64_t{1} << 40, std::uint64_t{1} << 40}, .type = 0, .offset = 0};
    COMPARE_TEXT(read_gguf_numbers(source, large, 8).error().message, "tensor l has more than 8 numbers");
  }

  void versions() {
    const std::string first =
        "GGUF" + little(1, 4) + little(0, 4) + little(1, 4) + little(1, 4) + "k" + little(4, 4) + little(7, 4);
    const auto head = read_gguf_head(MemorySource(first));
    QVERIFY2(head, head ? "" : head.error().message.c_str());
    QCOMPARE(std::get<Index>(head->find("k")->value), Index{7});
    COMPARE_TEXT(refusal("GGUF" + little(4, 4)), "the GGUF file is of version 4 but must be 1 to 3");
    COMPARE_TEXT(refusal("GGUF" + little(3U << 24U, 4)),
                 "the GGUF file has its bytes in big-endian order but must be little-endian");
  }

  /// Counts and lengths are checked before anything is allocated.
  void hostile_sizes() {
    COMPARE_TEXT(refusal("GGU"), "not a GGUF file: it has 3 bytes");
    COMPARE_TEXT(refusal("PK\3\4"), "not a GGUF file: its first four bytes are not GGUF");
    COMPARE_TEXT(refusal("GGUF" + little(3, 4) + little(~0ULL, 8) + little(0, 8)),
                 "the GGUF file has 18446744073709551615 tensors but must have at most 131072");
    COMPARE_TEXT(refusal("GGUF" + little(3, 4) + little(0, 8) + little(~0ULL, 8)),
                 "the GGUF file has 18446744073709551615 values but must have at most 65536");
    COMPARE_TEXT(refusal(one_value(little(~0ULL, 8))),
                 "the name of a value at byte 24 has 18446744073709551615 bytes but must have at most 65535");
    COMPARE_TEXT(refusal(one_value(gguf_text("k") + little(8, 4) + little(~0ULL, 8))),
                 "the file is cut short: 18446744073709551615 bytes are expected at byte 45, it has 0");
    COMPARE_TEXT(refusal(one_value(gguf_text("k") + little(9, 4) + little(10, 4) + little(~0ULL, 8))),
                 "the file is cut short: k has 18446744073709551615 items of 8 bytes, the file has 0 bytes left");
    COMPARE_TEXT(refusal(one_value(gguf_text("k") + little(9, 4) + little(8, 4) + little(~0ULL, 8))),
                 "k brings the strings of arrays to more than 8388608");
    COMPARE_TEXT(refusal(one_value(gguf_text("k") + little(9, 4) + little(9, 4) + little(1, 8))),
                 "k is an array of arrays but must not be nested");
    COMPARE_TEXT(refusal(one_value(gguf_text("k") + little(13, 4))),
                 "k has a value of type 13 but must be from 0 to 12");
    COMPARE_TEXT(refusal(GgufBytes().integer("general.alignment", 3).tensor("t", {1}).bytes()),
                 "general.alignment must be a power of two from 1 to 2^30");
  }

  /// Cut anywhere, or with a byte changed: a sentence or a head, never a crash.
  void damaged_files() {
    const std::string whole = small_file().bytes();
    const auto begin = read_gguf_head(MemorySource(whole))->tensors[0].offset;
    for (std::size_t length = 0; length < begin - 32; ++length) QVERIFY(!refusal(whole.substr(0, length)).empty());
    Random random(7);
    for (int round = 0; round < 4000; ++round) {
      std::string bytes = whole;
      for (Index edits = pick(random, 1, 4); edits > 0; --edits)
        bytes[static_cast<std::size_t>(pick(random, 0, std::ssize(bytes) - 1))] =
            static_cast<char>(pick(random, 0, 255));
      const std::string refused = refusal(bytes);
      QVERIFY(refused.find('\n') == std::string::npos);
      QVERIFY(refused.size() < 400);
    }
  }
};

VQSCOPE_TEST(GgufTest)
#include "gguf_test.moc"
