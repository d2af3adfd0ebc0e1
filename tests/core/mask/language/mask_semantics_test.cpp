// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/language_mask.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <limits>

using namespace vqscope;

namespace {

/// The only cell of a mask over one query and one key.
Result<bool> cell(const std::string& text) {
  const auto parsed = MaskProgram::parse(text);
  if (!parsed) return invalid(render(parsed.error, text));
  const auto mask = LanguageMask::make(parsed.program, {}, *SequenceLayout::make({.q_length = 1}));
  if (!mask) return mask.error();
  return (*mask)->visible(0, 0);
}

struct MeaningCase {
  const char* expression;
  Index value;
};

/// As python3 prints int(...) of them.
constexpr MeaningCase cases[] = {
    {"-2**2", -4},
    {"2**-0", 1},
    {"2**3**2", 512},
    {"-7//2", -4},
    {"7//-2", -4},
    {"-7//-2", 3},
    {"-7%3", 2},
    {"7%-3", -2},
    {"-7%-3", -1},
    {"1+2*3", 7},
    {"(1+2)*3", 9},
    {"1<<2+1", 8},
    {"1|2&3", 3},
    {"1|2^3&2", 1},
    {"6&3==3", 0},
    {"~5", -6},
    {"~-1", 0},
    {"-5>>1", -3},
    {"5<<2<<1", 40},
    {"10-4-3", 3},
    {"100//7//2", 7},
    {"2*3%4", 2},
    {"1 if 0 else 2", 2},
    {"1 if True else 2 if False else 3", 1},
    {"0 if False else 2 if True else 3", 2},
    {"0 or 5", 5},
    {"3 and 4", 4},
    {"0 and 4", 0},
    {"3 or 4", 3},
    {"not 0", 1},
    {"not 3==4", 1},
    {"1<2<3", 1},
    {"3>2>2", 0},
    {"1<2==True", 0},
    {"True+True", 2},
    {"5-True", 4},
    {"min(3,1,2)", 1},
    {"max(3,1,2)", 3},
    {"abs(-4)", 4},
    {"0x1f+0b11+0o17", 49},
    {"1_000", 1000},
    {"-9223372036854775808", std::numeric_limits<Index>::min()},
    {"-0x8000_0000_0000_0000", std::numeric_limits<Index>::min()},
    {"- 9223372036854775808 + 1 if True else -9223372036854775808", -std::numeric_limits<Index>::max()},
    {"- - 3", 3},
    {"not not 5", 1},
    {"1<2 and 2<1 or 3<4", 1},
    {"-1 % 5", 4},
    {"3&1|2", 3},
    {"1 == 1 != 2", 1},
    {"7 // 2 * 2 + 7 % 2", 7},
    {"-3 ** 2 % 5", 1},
    // As torch has them.
    {"torch.where(kv_idx == 0, 7, 8)", 7},
    {"torch.minimum(q_idx + 3, 2)", 2},
    {"(q_idx - 4).abs()", 4},
    {"torch.clamp(q_idx + 9, min=2, max=5)", 5},
    {"(q_idx - 9).clamp(2, 5)", 2},
    {"(q_idx + 9).clamp(max=5)", 5},
    {"(q_idx == 0).logical_and(kv_idx == 1)", 0},
    {"torch.logical_or(q_idx == 0, kv_idx == 1)", 1},
    {"torch.logical_not(q_idx == 0)", 0},
    {"~(q_idx == 0)", 0},
    {"(q_idx + 5).bool()", 1},
    {"(q_idx + 5).to(torch.bool)", 1},
    {"(q_idx + 5).to(torch.int64).to(q_idx.device)", 5},
    {"(q_idx == 0).int().long()", 1},
};

}  // namespace

class MaskSemanticsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void expressions_have_pythons_values() {
    for (const auto& [expression, value] : cases) {
      const auto seen = cell("((" + std::string(expression) + ") + 0) == " + std::to_string(value));
      QVERIFY2(seen.has_value(), seen ? "" : (std::string(expression) + ": " + seen.error().message).c_str());
      QVERIFY2(*seen, expression);
    }
  }

  void unreached_operands_cannot_fail() {
    QVERIFY(*cell("q_idx == 0 or 1 // q_idx == 1"));
    QVERIFY(!*cell("q_idx == 1 and 1 // q_idx == 1"));
    QVERIFY(*cell("(1 // q_idx == 1) if q_idx == 1 else True"));
    QVERIFY(!cell("(q_idx == 0) | (1 // q_idx == 1)"));
    QVERIFY(!cell("torch.where(q_idx == 1, 1 // q_idx == 1, True)"));
  }

  void statements_of_pasted_texts() {
    QVERIFY(
        *cell("\"\"\"A docstring.\"\"\"\nimport torch\nfrom torch import Tensor\na, (b2) = 3, 4\nx = y = a\nx += 1\n"
              "return (x ==  # a comment\n   4) and \\\n  b2 == 4"));
    QVERIFY(
        *cell("def mask_mod(b: Tensor, h: Tensor, q: Tensor, k: Tensor) -> Tensor:\n  '''Doc.'''\n  return q >= k\n"));
    QVERIFY(
        *cell("def pair(i):\n  return i + 1, i + 2\n\ndef mask_mod(b, h, q_idx, kv_idx):\n  x, y = pair(q_idx)\n"
              "  return x + 1 == y"));
    QVERIFY(*cell("def f(i, j=2): return i * j\nreturn f(j=3, i=2) == 6 and f(4) == 8"));
    QVERIFY(*cell("  x = 1\n  return x == 1"));
    QVERIFY(*cell("f = lambda b, h, q_idx, kv_idx: q_idx == kv_idx\nand_masks(f, f)"));
  }

  void factories_leave_their_parameters_free() {
    const auto parsed = MaskProgram::parse(
        "def generate_sliding_window(window_size: int, shift=2):\n"
        "    def sliding_window(b, h, q_idx, kv_idx):\n"
        "        causal_mask = q_idx >= kv_idx\n"
        "        windowed_mask = q_idx - kv_idx <= window_size + shift\n"
        "        return causal_mask & windowed_mask\n"
        "    sliding_window.__name__ = f\"sliding_window_{window_size}\"\n"
        "    return sliding_window\n");
    QVERIFY2(parsed, parsed.error.message.c_str());
    const auto& integers = parsed.program->integers();
    QCOMPARE(integers.size(), std::size_t{2});
    COMPARE_TEXT(integers[0].name, "window_size");
    QVERIFY(!integers[0].default_value && integers[1].default_value == 2);
    QCOMPARE(parsed.program->terms().size(), std::size_t{2});
    COMPARE_TEXT(parsed.program->terms()[0].name, "causal_mask");
    COMPARE_TEXT(parsed.program->terms()[1].name, "windowed_mask");
  }

  void free_names() {
    const auto parsed = MaskProgram::parse(
        "WINDOW = 4 * 128\n"
        "return (q_idx - kv_idx < WINDOW) & (seq[b, kv_idx] == seq[b, q_idx]) & (kv_idx >= pad) & (row[kv_idx] > 0)");
    QVERIFY2(parsed, parsed.error.message.c_str());
    const auto& integers = parsed.program->integers();
    QCOMPARE(integers.size(), std::size_t{2});
    COMPARE_TEXT(integers[0].name, "WINDOW");
    QVERIFY(integers[0].default_value == 512);
    COMPARE_TEXT(integers[1].name, "pad");
    const auto& arrays = parsed.program->arrays();
    QCOMPARE(arrays.size(), std::size_t{2});
    COMPARE_TEXT(arrays[0].name, "seq");
    QVERIFY(arrays[0].indexed_by == language::IndexedBy::token);
    QVERIFY(arrays[1].indexed_by == language::IndexedBy::key);
  }
};

VQSCOPE_TEST(MaskSemanticsTest)
#include "mask_semantics_test.moc"
