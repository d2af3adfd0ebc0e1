// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/kind/file_kind.h"

#include "tests/core/io/tensor/tensor_bytes.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

KnownFile known(const std::string& bytes, std::string_view path = "a") { return *file_kind(MemorySource(bytes), path); }

bool is(const std::string& bytes, FileKind kind, std::string_view path = "a") {
  return known(bytes, path).kind == kind;
}

std::string zip_of(const std::vector<std::string>& names) {
  ZipBytes zip;
  for (const auto& name : names) zip.add(name, "x", false);
  return zip.bytes();
}

}  // namespace

class FileKindTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_the_first_bytes() {
    using enum FileKind;
    const std::string npy_bytes = npy_array("<f4", {1}, "1234");
    for (const char* path : {"a", "a.csv", "a.pt"}) {
      QVERIFY(is(npy_bytes, npy, path));
      QVERIFY(is(zip_of({"q.npy"}), npz, path));
      QVERIFY(is(zip_of({"a/data.pkl", "a/data/0"}), torch, path));
      QVERIFY(is(zip_of({}), npz, path));
      QVERIFY(is(safetensors_file("{}", ""), safetensors, path));
      QVERIFY(is(safetensors_file("  {}", ""), safetensors, path));
      // Lengths that begin as a pickle and as UTF-16 do.
      for (const std::size_t length : {640U, 65279U})
        QVERIFY(is(safetensors_file("{" + std::string(length - 2, ' ') + "}", ""), safetensors, path));
      QVERIFY(is("\x80\x02}q.", pickle, path));
      QVERIFY(is("GGUF\3", gguf, path));
      QVERIFY(is("\x89PNG\r\n\x1a\n", png, path));
      QVERIFY(is("{\"a\": 1}", json, path));
    }
    COMPARE_TEXT(known("").what, "empty");
    COMPARE_TEXT(known("\n <!DOCTYPE HTML>").what, "an HTML page");
    COMPARE_TEXT(known("<html lang=en>").what, "an HTML page");
    COMPARE_TEXT(known("\xef\xbb\xbfversion https://git-lfs.github.com/spec/v1\noid").what, "a Git LFS pointer");
    COMPARE_TEXT(known("version https://git-lfs.github.com/spec/v1\noid").what, "a Git LFS pointer");
    COMPARE_TEXT(known(zip_of({"a.docx"})).what, "a zip archive without arrays");
    COMPARE_TEXT(known(zip_of({"m/data.pkl", "m/constants.pkl"})).what,
                 "a TorchScript program (save its state_dict() instead)");
    COMPARE_TEXT(known(std::string(257, '\0') + "ustar").what, "a tar archive (as torch wrote before version 0.1.10)");
    COMPARE_TEXT(known("\x1f\x8b\x08").what, "a gzip file");
    COMPARE_TEXT(known(std::string("\1\2\3")).what, "a binary file of no known kind");
  }

  /// Protocols 0 and 1 have no number at their beginning.
  void old_pickles() {
    using enum FileKind;
    for (const char* text : {"cos\nsystem\n(S'id'\ntR.", "(dp0\nS'a'\nI1\ns.", "(S'ls'\nios\nsystem\n.",
                             "(lp0\nI1\na.\n", "(cos\nsystem\nS'id'\no.", "}q\1X\1", "c__builtin__\neval\n(S'1'\ntR."})
      QVERIFY2(is(text, std::string_view(text)[0] == '}' ? unread : pickle), text);
    for (const char* mask : {"(k <= q) & (q - k < 4.", "kv_idx <= q_idx", "causal", "(d - q) < 1.",
                             "[[1., 0.], [1., 1.]]", "class A:\n  pass\n", "c\nd\n"})
      QVERIFY2(is(mask, text), mask);
  }

  void suffixes_decide_between_texts() {
    using enum FileKind;
    QVERIFY(is("1 0\n1 1\n", csv));
    QVERIFY(is("# mine\n\n-inf,0\n", csv, "a.txt"));
    QVERIFY(is("query\\key,0,1\n0,1,0\n", csv));
    QVERIFY(is("True,False\n", csv));
    QVERIFY(is("1", text, "a.py"));
    QVERIFY(is("1,0,0\n1,1,0\n1,1,1\n", csv, "a.py"));
    QVERIFY(is("query\\key,0,1\n0,1,0\n1,1,1", csv, "a.py"));
    QVERIFY(is("x = [\n1, 0,\n0, 1,\n]\n", text, "a.py"));
    QVERIFY(is("a,b\n", csv, "a.csv"));
    QVERIFY(is("def f(b, h, q, k):\n  return q >= k\n", text));
    QVERIFY(is("[1, 2]", text));
    QVERIFY(is("[1, 2]", json, "a.json"));
    QVERIFY(is("x = '\xff'", text, "a.py"));
    QVERIFY(is("x = '\xff'", unread));
  }

  /// A text of one word may be a mask; under a name of tensors, it is the beginning of one.
  void files_that_end_within_their_first_bytes() {
    using enum FileKind;
    const auto what = [](const char* bytes, const char* path) {
      return file_kind(MemorySource(std::string(bytes)), path)->what;
    };
    COMPARE_TEXT(what("P", "a.npz"), "cut short after 1 byte");
    COMPARE_TEXT(what("PK", "a.pt"), "cut short after 2 bytes");
    COMPARE_TEXT(what("\x93NU", "a.npy"), "cut short after 3 bytes");
    COMPARE_TEXT(what("GGU", "a.gguf"), "cut short after 3 bytes");
    QVERIFY(is("P", text, "a.py"));
    QVERIFY(is("q", text, "a.npz"));
  }

  void refusals_name_the_file() {
    const Error error = unexpected_kind(known("<html>"), "a mask");
    COMPARE_TEXT(in_file("-", error).message, "standard input is an HTML page but must be a mask");
    COMPARE_TEXT(in_file("a.pt", unexpected_kind(known("version https://git-lfs"), "a mask")).message,
                 "a.pt is a Git LFS pointer; run git lfs pull to fetch the file itself");
    COMPARE_TEXT(in_file("a.npy", invalid("the header is bad")).message, "a.npy: the header is bad");
  }

  void any_bytes_have_a_kind() {
    Random random(7);
    for (int i = 0; i < 5'000; ++i) {
      std::string bytes(static_cast<std::size_t>(pick(random, 0, 40)), '\0');
      for (char& byte : bytes) byte = static_cast<char>(pick(random, 0, i % 2 ? 255 : 127));
      QVERIFY(!known(bytes, "a.csv").what.empty());
    }
  }
};

VQSCOPE_TEST(FileKindTest)
#include "file_kind_test.moc"
