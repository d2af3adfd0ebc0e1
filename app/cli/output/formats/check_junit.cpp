// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/formats/check_formats.h"

#include "core/base/sentence.h"
#include "core/lint/finding_text.h"

#include <algorithm>

namespace vqscope {
namespace {

/// For attributes and text. XML 1.0 has no other control characters than tab and line ends.
std::string xml(std::string_view text) {
  std::string escaped;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = utf8_sequence(text.substr(at));
    const char c = text[at];
    if (bytes == 0)
      escaped += "\xef\xbf\xbd";
    else if (bytes > 1)
      escaped += text.substr(at, bytes);
    else if (c == '&' || c == '<' || c == '>' || c == '"')
      escaped += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : "&quot;";
    else
      escaped += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    at += std::max<std::size_t>(1, bytes);
  }
  return escaped;
}

/// The findings of one rule, in the order of the report.
std::vector<Finding> ofRule(const std::vector<Finding>& findings, const std::string& rule) {
  std::vector<Finding> some;
  std::ranges::copy_if(findings, std::back_inserter(some), [&](const Finding& each) { return each.rule == rule; });
  return some;
}

struct TestCases {
  std::string text;
  int tests = 0;
  int failures = 0;
  int skipped = 0;
};

/// What stands within a <testcase>.
std::string contentOf(const RuleOutcome& outcome, const CheckResult& result, TestCases& cases) {
  std::string content;
  std::string remarks;
  for (const Finding& finding : ofRule(result.output.report.findings, outcome.rule)) {
    const std::string sentence = xml(sample_of(finding) + finding.sentence);
    const char* word = severity_word(finding.severity);
    if (finding.severity == Severity::error || result.strict)
      content += fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n", word, sentence, sentence);
    else
      remarks += fmt::format("{}: {}\n", word, sentence);
  }
  for (const Finding& finding : ofRule(result.known, outcome.rule)) remarks += "known: " + xml(finding.sentence) + "\n";
  cases.failures += content.empty() ? 0 : 1;
  const auto questions = ofRule(result.output.report.questions, outcome.rule);
  if (content.empty() && remarks.empty() && (!outcome.skipped.empty() || !questions.empty())) {
    ++cases.skipped;
    const std::string reason = questions.empty() ? outcome.skipped : questions.front().sentence;
    content += fmt::format("      <skipped message=\"{}\"/>\n", xml(reason));
  }
  return remarks.empty() ? content : content + "      <system-out>" + remarks + "</system-out>\n";
}

}  // namespace

std::string checkAsJunit(const CheckResult& result) {
  const std::string file = xml(result.file.path.empty() ? "mask" : result.file.path);
  TestCases cases;
  for (const RuleOutcome& outcome : result.output.report.outcomes) {
    ++cases.tests;
    const std::string content = contentOf(outcome, result, cases);
    const std::string head =
        fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"0\"", file, xml(outcome.rule));
    cases.text += content.empty() ? head + "/>\n" : head + ">\n" + content + "    </testcase>\n";
  }
  const std::string counts = fmt::format("tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"0\"",
                                         cases.tests, cases.failures, cases.skipped);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites {}>\n"
      "  <testsuite name=\"vqscope check {}\" {}>\n{}  </testsuite>\n"
      "</testsuites>\n",
      counts, file, counts, cases.text);
}

}  // namespace vqscope
