// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/document/html.h"

#include "tests/core/report/document/hostile_document.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>
#include <QXmlStreamReader>

using namespace vqscope;
using namespace vqscope::test;

class HtmlTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void texts() {
    COMPARE_TEXT(html_text("a < b & \"c\" > 'd'"), "a &lt; b &amp; &quot;c&quot; &gt; &#39;d&#39;");
    COMPARE_TEXT(html_text("naïve ∧ 断\n\tline"), "naïve ∧ 断\n\tline");
    COMPARE_TEXT(html_text(std::string_view("\xff\0\x1b[31m\u202e", 10)), "\ufffd\ufffd\ufffd[31m\ufffd");
  }

  /// Each text of a document goes through the same function.
  void nothing_of_a_document_is_markup() {
    const std::string html = html_of(hostile_document());
    QVERIFY(html.find("<script") == std::string::npos);
    QVERIFY(html.find("<b onload") == std::string::npos);
    QVERIFY(html.find("</code></pre><") == std::string::npos);
    const std::string given = "&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;";
    std::size_t count = 0;
    for (auto at = html.find(given); at != std::string::npos; at = html.find(given, at + 1)) ++count;
    QVERIFY2(count >= hostile_texts, std::to_string(count).c_str());
  }

  void needs_neither_network_nor_scripts() {
    const std::string html = html_of(hostile_document());
    QVERIFY(html.find("default-src 'none'") != std::string::npos);
    QVERIFY(html.find("src=\"http") == std::string::npos && html.find("href=") == std::string::npos);
    QVERIFY(html.find("url(") == std::string::npos && html.find("@import") == std::string::npos);
  }

  /// Headings in order, texts for pictures, heads for columns.
  void is_accessible() {
    const std::string html = html_of(hostile_document());
    for (const char* part : {"<html lang=\"en\">", "<h1>", "<h2>", "<h3>", "<img alt=\"", "<p class=\"caption\">",
                             "aria-label=\"", "<th scope=\"col\">", " scope=\"row\"", "<main>", "<footer>"})
      QVERIFY2(html.find(part) != std::string::npos, part);
    COMPARE_TEXT(html.substr(html.rfind("<!-- ")), "<!-- vqscope-session:0:AwA=; -->\n");
  }
};

VQSCOPE_TEST(HtmlTest)
#include "html_test.moc"
