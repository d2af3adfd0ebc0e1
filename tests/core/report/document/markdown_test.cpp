// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/document/markdown.h"

#include "tests/core/report/document/hostile_document.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class MarkdownTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void parts_of_a_document() {
    ReportSection section{.title = "Checks"};
    section.add(ReportText{"All is well."});
    section.add(
        ReportTable{.caption = "Rows", .headings = {"Query", "Sees"}, .rows = {{{"1", CellTone::heading}, {"2"}}}});
    section.add(ReportCode{"Its text:", "return q_idx >= kv_idx\n"});
    section.add(ReportPicture{"A map", "Rows are queries.", "image/png", "foobar"});
    section.add(ReportFinding{.severity = "error", .title = "Window off", .sentence = "It is 129.", .fix = "Use <."});
    section.add(ReportNote{"query 1, key 2", "why?\nask"});
    const ReportDocument document{.title = "Mask",
                                  .lead = "8 × 8.",
                                  .verdict = {"1 error."},
                                  .sections = {section},
                                  .made_by = "Made by VQScope.",
                                  .session = "vqscope-session:0:AwA=;"};
    COMPARE_TEXT(
        markdown_of(document),
        "# Mask\n\n8 × 8.\n\n**1 error.**\n\n## Checks\n\nAll is well.\n\nRows\n\n| Query | Sees |\n| --- | --- "
        "|\n| **1** | 2 |\n\nIts text:\n\n```\nreturn q_idx >= kv_idx\n```\n\n![A map][picture 1]\n\nRows are "
        "queries.\n\n### error: Window off\n\nIt is 129.\n\n**To fix it:** Use <.\n\n### query 1, key "
        "2\n\n> why?\n> ask\n\n---\n\nMade by VQScope.\n\n[picture 1]: "
        "data:image/png;base64,Zm9vYmFy\n\n<!-- vqscope-session:0:AwA=; -->\n");
    const std::vector<std::string> beside{"a (1).png"};
    QVERIFY(markdown_of(document, beside).find("\n[picture 1]: a%20%281%29.png\n") != std::string::npos);
  }

  /// Outside of code nothing is HTML or a link, and code ends where it should.
  void nothing_of_a_document_is_markup() {
    const std::string text = markdown_of(hostile_document());
    const auto fence = text.find("````\n");
    QVERIFY(fence != std::string::npos);
    const auto end = text.find("\n````\n", fence + 1);
    QVERIFY(end != std::string::npos);
    const std::string rest = text.substr(0, fence) + text.substr(end);
    QVERIFY(rest.find("<script") == std::string::npos);
    QVERIFY(rest.find("[a](") == std::string::npos);
  }
};

VQSCOPE_TEST(MarkdownTest)
#include "markdown_test.moc"
