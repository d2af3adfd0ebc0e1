// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/markdown_text.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class MarkdownTextTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void texts() {
    COMPARE_TEXT(markdown_text("a < b | *c* _d_ `e` [f] & #g"), "a < b \\| \\*c\\* \\_d\\_ \\`e\\` \\[f\\] & #g");
    COMPARE_TEXT(markdown_text("q_pos - kv_pos < 8 <b> </b> &lt; # -1"),
                 "q_pos - kv_pos < 8 &lt;b> &lt;/b> &amp;lt; # -1");
    COMPARE_TEXT(markdown_text("# a"), "\\# a");
    COMPARE_TEXT(markdown_text("- a"), "\\- a");
    COMPARE_TEXT(markdown_text("two\nlines"), "two lines");
  }
};

VQSCOPE_TEST(MarkdownTextTest)
#include "markdown_text_test.moc"
