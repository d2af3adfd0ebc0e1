// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/formats/junit.h"

#include "core/base/sentence.h"

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
      escaped += static_cast<unsigned char>(c) < 0x20 && c != '\n' ? ' ' : c;
    at += std::max<std::size_t>(1, bytes);
  }
  return escaped;
}

std::string caseText(const std::string& className, const JunitCase& test) {
  std::string content;
  for (const JunitFailure& failure : test.failures) {
    const std::string message = xml(failure.message);
    content +=
        fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n", xml(failure.type), message, message);
  }
  if (!test.skipped.empty()) content += fmt::format("      <skipped message=\"{}\"/>\n", xml(test.skipped));
  if (!test.output.empty()) content += "      <system-out>" + xml(test.output) + "</system-out>\n";
  const std::string head =
      fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"0\"", xml(className), xml(test.name));
  return content.empty() ? head + "/>\n" : head + ">\n" + content + "    </testcase>\n";
}

}  // namespace

std::string junitText(const std::string& suite, const std::string& className, std::span<const JunitCase> cases) {
  std::string text;
  for (const JunitCase& test : cases) text += caseText(className, test);
  const auto failures = std::ranges::count_if(cases, [](const JunitCase& test) { return !test.failures.empty(); });
  const auto skipped = std::ranges::count_if(cases, [](const JunitCase& test) { return !test.skipped.empty(); });
  const std::string counts = fmt::format("tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"0\"",
                                         cases.size(), failures, skipped);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites {}>\n"
      "  <testsuite name=\"{}\" {}>\n{}  </testsuite>\n"
      "</testsuites>\n",
      counts, xml(suite), counts, text);
}

}  // namespace vqscope
