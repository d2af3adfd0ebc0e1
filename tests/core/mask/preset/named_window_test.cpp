// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/text.h"
#include "core/mask/methods.h"
#include "core/mask/preset/text_mask.h"
#include "core/method/free_name.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// "NAME = value" of a text's window, or "none".
std::string window_of(const std::string& text, const std::map<std::string, ParameterValue>& given = {}) {
  ParameterValues values;
  values.set("mask", std::string(text_mask_id));
  values.set("mask_text", text);
  for (const auto& [name, value] : given) values.set(free_name_key(name), value);
  const auto window = named_window(values);
  return window ? window->name + " = " + to_text(window->value) : "none";
}

}  // namespace

class NamedWindowTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void a_number_that_the_text_calls_a_window() {
    COMPARE_TEXT(window_of("SLIDING_WINDOW = 128\nreturn q_idx - kv_idx < SLIDING_WINDOW"), "SLIDING_WINDOW = 128");
    COMPARE_TEXT(window_of("  local_Window_size=7  # tokens\nreturn kv_idx <= q_idx"), "local_Window_size = 7");
    COMPARE_TEXT(window_of("W = 128\nreturn q_idx - kv_idx < W"), "none");
    COMPARE_TEXT(window_of("return q_idx - kv_idx < 4"), "none");
  }

  void lines_without_a_window() {
    for (const char* line : {"window == 3", "# window = 3", "window = 4 * 2", "window = None", "if window = 3",
                             "window.size = 3", "window = 3, 4", "x = window", "window", "window ="})
      QVERIFY2(window_of(line) == "none", line);
  }

  void given_window_takes_precedence() {
    COMPARE_TEXT(window_of("window = 128\nreturn q_idx - kv_idx < window", {{"window", Index{9}}}), "window = 9");
    COMPARE_TEXT(window_of("return q_idx - kv_idx < sliding_window", {{"sliding_window", Index{5}}, {"n", Index{3}}}),
                 "sliding_window = 5");
    // An array of that name is none.
    COMPARE_TEXT(window_of("return q_idx < windows[kv_idx]", {{"windows", std::vector<Index>{1, 2}}}), "none");
  }

  void several_windows_are_ambiguous() {
    COMPARE_TEXT(window_of("window_left = 3\nwindow_right = 5\nreturn kv_idx <= q_idx"), "none");
    COMPARE_TEXT(window_of("return kv_idx <= q_idx", {{"window_a", Index{3}}, {"window_b", Index{4}}}), "none");
  }

  /// -1 and 0 say that there is none, in the text as in a value.
  void window_below_1_is_no_window() {
    COMPARE_TEXT(window_of("return kv_idx <= q_idx", {{"window", Index{-1}}}), "none");
    COMPARE_TEXT(window_of("return kv_idx <= q_idx", {{"window", Index{0}}, {"window_size", Index{4}}}),
                 "window_size = 4");
    COMPARE_TEXT(window_of("SLIDING_WINDOW = -1\nreturn kv_idx <= q_idx"), "none");
    COMPARE_TEXT(window_of("window = 0\nwindow_size = 4\nreturn kv_idx <= q_idx"), "window_size = 4");
  }

  void masks_without_a_text_have_none() {
    ParameterValues values = default_values(visibility_method().parameters);
    values.set("mask", std::string("causal"));
    values.set("mask_text", std::string("window = 3"));
    QVERIFY(!named_window(values));
  }
};

VQSCOPE_TEST(NamedWindowTest)
#include "named_window_test.moc"
