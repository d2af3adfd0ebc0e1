// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/report.h"

#include "core/catalogue/registry.h"
#include "core/io/embed/embedded_text.h"
#include "core/session/session_json.h"
#include "core/session/session_plan.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace std::string_literals;

namespace {

/// A session that shows a method with some values.
Session showing(const std::string& id, const ParameterValues::Map& set) {
  Session session = default_session();
  const Method& method = *find_method(id);
  ParameterValues values;
  for (const auto& [name, value] : set) values.set(name, value);
  const auto plan = plan_view(ShownPages(session), page_of(method)->id, method, values, PageSide::a);
  session.current = plan->page.id;
  session.subject = plan->subject;
  *find_page(session, session.current) = kept_page(plan->page);
  return session;
}

Session window_off_by_one() {
  Session session = showing(
      "visibility", {{"mask", std::string("sliding_window")}, {"sliding_window", Index{9}}, {"q_length", Index{32}}});
  find_page(session, "masks")->lint.set("window", Index{8});
  return session;
}

std::string html_for(ReportRequest request) {
  request.program = "VQScope 1, today";
  const auto document = make_report(request);
  return document ? report_text(*document, ReportFormat::html) : document.error().message;
}

void verify_parts(const std::string& html, const std::vector<std::string>& parts) {
  for (const auto& part : parts)
    QVERIFY2(html.find(part) != std::string::npos, (part + " is not in " + html.substr(0, 6000)).c_str());
}

}  // namespace

class ReportTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void a_mask_with_a_finding() {
    const std::string html = html_for({.session = window_off_by_one(), .curves = nullptr});
    verify_parts(html, {"<h1>Attention mask: causal ∧ window 9</h1>", "32 queries × 32 keys. A query is",
                        "<h2>Checks</h2>", "1 error", "First at query 8, key 0", "<h2>Around query 8, key 0</h2>",
                        "Query 8 sees key 0.", "<h2>The mask in words</h2>", "vqscope check --session report.html",
                        "vqscope row 8 --session report.html", "Made by VQScope 1, today."});
  }

  /// A preset's text has the window and the prefix that are set.
  void the_text_of_a_preset_has_its_numbers() {
    const auto text_of = [](const ParameterValues::Map& set) {
      return html_for({.session = showing("visibility", set), .curves = nullptr});
    };
    verify_parts(text_of({{"mask", "packed"s}, {"sliding_window", Index{9}}, {"q_length", Index{32}}}),
                 {"\nwindow = 9\n"});
    verify_parts(text_of({{"mask", "prefix_lm"s}, {"prefix_length", Index{5}}, {"q_length", Index{32}}}),
                 {"\nprefix_length = 5  # leading tokens"});
  }

  /// The fix of a text, and what a question asks to set.
  void findings_say_what_to_change() {
    Session session = showing("visibility", {{"mask", std::string("custom")},
                                             {"mask_text", "return (q_idx >= kv_idx) & (q_idx - kv_idx <= 8)"s},
                                             {"q_length", Index{32}}});
    find_page(session, "masks")->lint.set("window", Index{8});
    verify_parts(html_for({.session = session, .curves = nullptr}),
                 {"<b>To fix it:</b> In the mask&#39;s text, line 1, column 44: write &lt; in place of &lt;=."});
  }

  /// A mask about which a rule has a question is not said to keep the rules.
  void questions_leave_the_verdict_open() {
    const std::string html =
        html_for({.session = showing("visibility",
                                     {{"mask", std::string("custom")},
                                      {"mask_text", "W = 8\ndef m(b, h, q, k):\n  return (q >= k) & (q - k <= W)\n"s},
                                      {"q_length", Index{32}}}),
                  .curves = nullptr});
    verify_parts(html, {"Undecided: ", "1 question"});
    QVERIFY(html.find("No rule is broken") == std::string::npos);
  }

  void two_masks() {
    Session session = window_off_by_one();
    auto& page = *find_page(session, "masks");
    page.compare = CompareMode::difference;
    page.other.set("sliding_window", Index{8});
    verify_parts(
        html_for({.session = session, .row = 20, .col = 12, .curves = nullptr}),
        {"B is A with a window of 8 in place of a window of 9.", "<th scope=\"col\">Sees in B</th>",
         "<td class=\"picked\">sees 8 of 32 keys: 13–20</td>", "<th scope=\"col\">In B</th>", "<td>as in A</td>"});
  }

  void the_chosen_cell_is_explained() {
    const std::string html = html_for({.session = window_off_by_one(), .row = 20, .col = 3, .curves = nullptr});
    verify_parts(html, {"<h2>Around query 20, key 3</h2>", "Query 20 does not see key 3: masked by sliding_window",
                        "Why", "<th scope=\"row\">20</th><td class=\"picked\">sees 9 of 32 keys: 12–20</td>"});
    COMPARE_TEXT(html_for({.session = window_off_by_one(), .row = 32, .curves = nullptr}),
                 "the row is 32 but must be 0 to 31");
    COMPARE_TEXT(html_for({.session = window_off_by_one(), .row = 3, .col = -1, .curves = nullptr}),
                 "the key is -1 but must be 0 to 31");
  }

  /// Keys that are all visible have no reasons.
  void columns_without_words_are_left_out() {
    const std::string html =
        html_for({.session = showing("visibility", {{"mask", "bidirectional"s}}), .curves = nullptr});
    verify_parts(html, {"and what decides each", ">Verdict<"});
    QVERIFY(html.find(">Masked by<") == std::string::npos && html.find(">Why<") == std::string::npos);
  }

  void other_matrices_and_curves() {
    const std::string buckets =
        html_for({.session = showing("t5_bucket", {{"q_length", Index{64}}}), .curves = nullptr});
    verify_parts(buckets, {"<h2>Numbers</h2>", "<th scope=\"col\" class=\"number\">63</th>",
                           "vqscope export t5_bucket --set q_length=64"});
    QVERIFY(buckets.find("vqscope check") == std::string::npos);
    for (const auto& method : methods()) {
      const auto* page = page_of(method);
      if (!page || !page->shares || !method.curves() || method.curves()->clocked) continue;
      const std::string html = html_for({.session = showing(method.id, {}), .method = method.id, .curves = nullptr});
      verify_parts(html, {"<h2>Numbers</h2>", "vqscope export " + method.id});
    }
  }

  void the_layers_of_a_model() {
    const std::string html = html_for(
        {.session = showing("layer_reach", {{"layers", std::string("5*sliding:1024,full")}, {"q_length", Index{4096}}}),
         .curves = nullptr});
    verify_parts(html, {"<h2>The model, layer by layer</h2>", "<td>sliding:1024</td>", "<td>full</td>"});
  }

  void the_survey_is_a_table() {
    Session session = default_session();
    session.current = "survey";
    verify_parts(html_for({.session = session, .curves = nullptr}),
                 {"<h1>Survey of position encodings</h1>", "<th scope=\"row\">ALiBi</th>", "vqscope-session:"});
  }

  void pages_without_anything_are_refused() {
    Session session = default_session();
    session.current = "start";
    COMPARE_TEXT(html_for({.session = session, .curves = nullptr}),
                 "Start has no picture or numbers to report; turn to a page that has, or name a METHOD");
  }

  void the_session_comes_back() {
    const Session session = window_off_by_one();
    for (const auto format : {ReportFormat::html, ReportFormat::markdown}) {
      const auto document = make_report({.session = session, .curves = nullptr});
      QVERIFY(document);
      const auto text = find_embedded_text(report_text(*document, format), 1 << 20);
      QVERIFY(text && *text);
      QCOMPARE(parse_session(**text)->session, session);
    }
  }

  /// Texts of a mask and of its tokens come from anywhere.
  void hostile_texts_are_no_markup() {
    const std::string evil = "</pre><script>alert(1)</script>";
    Session session = showing("visibility", {{"mask", std::string("custom")},
                                             {"mask_text", "# " + evil + "\nreturn q_idx >= kv_idx"},
                                             {"q_length", Index{8}}});
    session.subject.model = evil;
    session.subject.tokens = {evil, evil};
    const std::string html = html_for({.session = session, .row = 1, .file = evil + ".html", .curves = nullptr});
    verify_parts(html, {"&lt;script&gt;alert(1)"});
    QVERIFY(html.find("<script") == std::string::npos);
  }

  void notes_go_with_it() {
    Session session = window_off_by_one();
    find_page(session, "masks")->notes = {{"visibility", 30, 2, "Ask <Ana> about this"},
                                          {"visibility", 31, 99, "outside"},
                                          {"mask_blocks", 0, 0, "of another view"}};
    const std::string html = html_for({.session = session, .curves = nullptr});
    verify_parts(html, {"<h2>Notes</h2>", "query 30, key 2 (masked by sliding_window", "Ask &lt;Ana&gt; about this"});
    QVERIFY(html.find("outside") == std::string::npos && html.find("of another view") == std::string::npos);
  }

  void is_small_at_any_length() {
    const std::string html = html_for(
        {.session = showing("visibility", {{"mask", std::string("sliding_window")}, {"q_length", Index{2'097'152}}}),
         .curves = nullptr});
    verify_parts(html, {"2\u202f097\u202f152 queries"});
    QVERIFY2(html.size() < 100'000, std::to_string(html.size()).c_str());
  }

  void pictures_come_from_the_maker() {
    ReportRequest request{.session = window_off_by_one(), .curves = nullptr};
    int begun = 0;
    request.figures.begin = [&] { ++begun; };
    request.figures.make = [](const ExportRequest&, const MadeBefore& made, const std::string& format,
                              std::stop_token) -> Result<std::string> {
      return made.field && format == "svg" ? Result<std::string>("<svg/>") : invalid("no field was made");
    };
    verify_parts(html_for(request), {"src=\"data:image/svg+xml;base64,PHN2Zy8+\"", "<img alt=\"Mask"});
    QCOMPARE(begun, 1);
  }
};

VQSCOPE_TEST(ReportTest)
#include "report_test.moc"
