// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/kept_program.h"

#include "core/base/parallel.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <string>
#include <vector>

using namespace vqscope;

namespace {

/// How many programs are compiled by asking for these.
template <class Task>
Index compiled_by(const Task& task) {
  const Index before = programs_compiled();
  task();
  return programs_compiled() - before;
}

bool is_same(const MaskParse& a, const MaskParse& b) {
  if (!a || !b) return !a && !b && a.error.message == b.error.message;
  const auto& left = a.program->code().nodes;
  const auto& right = b.program->code().nodes;
  return std::ranges::equal(left, right, [](const auto& x, const auto& y) {
    return x.op == y.op && x.value == y.value && x.a == y.a && x.b == y.b && x.c == y.c;
  });
}

}  // namespace

class KeptProgramTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void theSameTextIsCompiledOnce() {
    const std::string text = "return kv_idx <= q_idx  # the same";
    QCOMPARE(compiled_by([&] { (void)kept_program(text); }), Index{1});
    const auto again = [&] {
      QCOMPARE(kept_program(text).program, kept_program(text).program);
      parallel_for(8, 8, [&](Index) { (void)kept_program(text); });
    };
    QCOMPARE(compiled_by(again), Index{0});
    QCOMPARE(compiled_by([&] { (void)kept_program(text + " "); }), Index{1});
  }

  void aTextThatCannotBeReadIsReadOnce() {
    const std::string text = "return kv_idx <= (q_idx  # not closed";
    QCOMPARE(compiled_by([&] { QVERIFY(!kept_program(text)); }), Index{1});
    QCOMPARE(compiled_by([&] { QVERIFY(!kept_program(text)); }), Index{0});
  }

  void valuesThatDecideNothingDoNotRecompile() {
    const std::string text = "window = 128\nreturn q_idx - kv_idx < window";
    (void)kept_program(text);
    QCOMPARE(compiled_by([&] { (void)kept_program(text, {.integers = {{"window", 64}}, .b = 0, .h = 3}); }), Index{0});
  }

  void aValueThatDecidesCountsWhereItIsNotTheDefault() {
    const std::string text = "depth = 4\nif depth > 2:\n  m = kv_idx <= q_idx\nelse:\n  m = kv_idx < q_idx\nreturn m";
    (void)kept_program(text);
    QCOMPARE(compiled_by([&] { (void)kept_program(text, {.integers = {{"depth", 4}}}); }), Index{0});
    QCOMPARE(compiled_by([&] { (void)kept_program(text, {.integers = {{"depth", 1}}}); }), Index{1});
    QCOMPARE(compiled_by([&] { (void)kept_program(text, {.integers = {{"depth", 1}}}); }), Index{0});
  }

  /// Whatever was requested before, the kept program equals the compiler's.
  void keptProgramEqualsTheCompiledOne() {
    const std::vector<Index> lengths{3, 5}, others{4, 4};
    std::vector<language::Given> all(7);
    all[1].integers = {{"window", 128}};
    all[2].integers = {{"window", 64}, {"depth", language::not_given}};
    all[3].integers = {{"window", language::not_given}, {"depth", 3}};
    all[4].arrays = {{"x", {.values = lengths}}};
    all[5].arrays = {{"x", {.values = others}}};
    all[6].b = all[6].h = 1;
    for (const std::string text :
         {"return kv_idx <= q_idx", "window = 128\nreturn q_idx - kv_idx < window",
          "def make(window=None):\n  def mask(b, h, q_idx, kv_idx):\n    if window is None:\n      return kv_idx <= "
          "q_idx\n"
          "    return q_idx - kv_idx < window\n  return mask",
          "def make(depth=2):\n  def mask(b, h, q_idx, kv_idx):\n    if depth > 2:\n      return kv_idx <= q_idx\n"
          "    return kv_idx < q_idx\n  return mask",
          "window = 128\nnear = q_idx - kv_idx < window\ndef make(window=None):\n  def mask(b, h, q_idx, kv_idx):\n"
          "    if window is None:\n      return near\n    return kv_idx <= q_idx\n  return mask",
          "return x[kv_idx] == x[q_idx]", "y = x.cumsum(0)\nreturn y[kv_idx % 2] > q_idx", "return kv_idx > q_idx + h",
          "return kv_idx <= (q_idx"})
      for (int round = 0; round < 2; ++round)
        for (const auto& given : all)
          QVERIFY2(is_same(kept_program(text, given), MaskProgram::parse(text, given)), text.c_str());
  }
};

VQSCOPE_TEST(KeptProgramTest)

#include "kept_program_test.moc"
