// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/fix/text_fix.h"

#include "core/mask/methods.h"
#include "core/method/method_list.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// "line 2, column 40: <= becomes <, of window_off"; "none".
std::string fix_of(const std::string& text, Index window = 0) {
  auto values = default_values(find_method(mask_methods(), "visibility")->parameters);
  values.set("mask", std::string("custom"));
  values.set("mask_text", text);
  values.set("q_length", Index{300});
  auto stated = default_values(lint_parameters());
  stated.set("objective", std::string("causal"));
  if (window > 0) stated.set("window", window);
  const auto given = lint_case(*lint_case(values), stated);
  const auto fix = fix_of_text(values, stated, lint_mask(*given));
  if (!fix) return "none";
  values.set("mask_text", fix->text);
  const LintReport after = lint_mask(*lint_case(*lint_case(values), stated));
  return "line " + std::to_string(fix->line) + ", column " + std::to_string(fix->column) + ": " + fix->found +
         " becomes " + fix->fix + ", of " + fix->rule + (after.findings.empty() ? "" : ", and more is wrong");
}

}  // namespace

class TextFixTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void a_window_off_by_one() {
    COMPARE_TEXT(fix_of("return (q_idx >= kv_idx) & (q_idx - kv_idx <= 128)", 128),
                 "line 1, column 44: <= becomes <, of window_off");
    COMPARE_TEXT(fix_of("SLIDING_WINDOW = 128\ndef m(b, h, q_idx, kv_idx):\n    a = q_idx >= kv_idx\n"
                        "    return a & (q_idx - kv_idx <= SLIDING_WINDOW)\n"),
                 "line 4, column 32: <= becomes <, of key_hidden");
    COMPARE_TEXT(fix_of("return (q_idx >= kv_idx) & (q_idx - kv_idx < 128)", 129),
                 "line 1, column 44: < becomes <=, of window_off");
  }

  void a_future_key() {
    COMPARE_TEXT(fix_of("return q_idx + 1 > kv_idx"), "none");
    COMPARE_TEXT(fix_of("return q_idx + 1 >= kv_idx"), "line 1, column 18: >= becomes >, of future_visible");
  }

  void no_comparison_mends_it() {
    COMPARE_TEXT(fix_of("return (q_idx >= kv_idx) & (q_idx - kv_idx < 100)", 128), "none");
    COMPARE_TEXT(fix_of("return q_idx >= kv_idx"), "none");
    LintReport report;
    report.findings.push_back({.rule = "window_off"});
    QVERIFY2(!fix_of_text({}, {}, report), "of a page without masks");
  }
};

VQSCOPE_TEST(TextFixTest)
#include "text_fix_test.moc"
