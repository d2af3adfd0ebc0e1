// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/fix/suggestion.h"

#include "core/lint/batch/batch_report.h"
#include "tests/core/lint/lint_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

const Suggestion packed{{{"document_lengths", std::vector<Index>{128, 128, 256}}, {"window", Index{129}}}};

std::string suggested(const std::string& settings, const std::string& text) {
  const LintReport report = lint_mask(*Stated(settings, text).made());
  std::string all;
  for (const Finding& question : report.questions)
    for (const Suggestion& each : question.suggestions) all += each.text() + (each.is_complete() ? ";" : "?");
  return all;
}

/// Errors, warnings and questions once what the first question suggests is set.
std::string left_after(const std::string& settings, const std::string& text, std::size_t which) {
  Stated stated(settings, text);
  const auto specs = lint_parameters();
  const LintReport before = lint_mask(*stated.made());
  for (const auto& [name, value] : before.questions.at(0).suggestions.at(which).settings)
    (find_spec(specs, name) ? stated.lint : stated.preset).set(name, *value);
  const LintReport after = lint_mask(*stated.made());
  std::string all;
  for (const auto* findings : {&after.findings, &after.questions})
    for (const Finding& each : *findings) all += each.rule + ";";
  return all;
}

}  // namespace

class SuggestionTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void words_of_settings() {
    COMPARE_TEXT(packed.text(), "document_lengths = 128, 128, 256 and window = 129");
    COMPARE_TEXT(packed.words(), "document_lengths=128,128,256 and window=129");
    COMPARE_TEXT(packed.arguments(), "--array document_lengths=128,128,256 --set window=129");
    QVERIFY(packed.is_complete() && packed.is_of_sequence());
    const Suggestion fill = suggest("dialect");
    QVERIFY(!fill.is_complete() && !fill.is_of_sequence());
    COMPARE_TEXT(fill.text(), "dialect");
    const Suggestion many = suggest("document_lengths", std::vector<Index>(40, 3));
    COMPARE_TEXT(many.text(), "document_lengths = 3, 3, 3, … (40 numbers)");
    COMPARE_TEXT(many.words(), "document_lengths");
  }

  void questions_have_their_answers() {
    COMPARE_TEXT(suggested("q_length=40", "(kv_idx <= q_idx) & (kv_idx >= 5) & (q_idx - kv_idx < 6)"),
                 "padding = 5, padding_side = left and window = 6;");
    COMPARE_TEXT(suggested("q_length=8 objective=prefix", "(kv_idx < 3) | (kv_idx <= q_idx)"), "prefix_length?");
    COMPARE_TEXT(suggested("q_length=8", "(kv_idx <= q_idx) & ((q_idx - kv_idx) % 2 == 0)"),
                 "objective?sparse = true;");
    COMPARE_TEXT(suggested("q_length=7 cu_seqlens=0,3,7,7", "kv_idx <= q_idx"), "document_lengths = 3, 4;");
    COMPARE_TEXT(suggested("q_length=4 kv_length=9", "kv_idx <= q_idx"), "past_len = 5;");
  }

  /// The documents and the window of a packed mask go together; the text names another window.
  void a_packed_mask() {
    const std::string settings = "q_length=40";
    const std::string text =
        "def mask_mod(b, h, q_idx, kv_idx):\n    SLIDING_WINDOW = 8\n    document_id = [0] * 12 + [1] * 12 + [2] * 16\n"
        "    same = document_id[q_idx] == document_id[kv_idx]\n"
        "    return same & (kv_idx <= q_idx) & (q_idx - kv_idx <= SLIDING_WINDOW)\n";
    COMPARE_TEXT(suggested(settings, text),
                 "document_lengths = 12, 12, 16 and window = 9;document_lengths = 12, 12, 16 and window = 8;");
    COMPARE_TEXT(left_after(settings, text, 0), "");
    COMPARE_TEXT(left_after(settings, text, 1), "window_off;");
    COMPARE_TEXT(suggested(settings + " window=8", text), "document_lengths = 12, 12, 16;");
  }

  /// A question of some samples of a batch has the answers that can hold for all of them.
  void answers_of_a_batch() {
    LintReport asking;
    asking.questions = {{.rule = "key_hidden", .severity = Severity::question, .sentence = "?"}};
    asking.questions[0].suggestions = {packed, suggest("window", Index{129})};
    const std::vector<LintReport> all{asking, asking};
    QCOMPARE(joined_reports(all, 1).questions[0].suggestions.size(), 2U);
    const std::vector<LintReport> one{asking, LintReport()};
    QVERIFY(joined_reports(one, 1).questions[0].suggestions == std::vector{suggest("window", Index{129})});
  }
};

VQSCOPE_TEST(SuggestionTest)
#include "suggestion_test.moc"
