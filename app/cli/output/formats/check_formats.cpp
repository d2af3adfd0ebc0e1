// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/formats/check_formats.h"

#include "core/base/sentence.h"
#include "core/io/bytes/path_text.h"
#include "core/lint/finding_text.h"

#include <array>

namespace vqscope {
namespace {

/// "2 known findings in known.json\n".
std::string knownLine(const CheckResult& result) {
  if (result.baseline.empty()) return {};
  const std::size_t count = result.known.size();
  return fmt::format("{} known finding{} in {}\n", count, count == 1 ? "" : "s", shown_path(result.baseline));
}

std::string checkAsJsonText(const CheckResult& result) {
  JsonObject json = result.output ? checkAsJson(*result.output) : reportAsJson(result.report);
  if (!result.baseline.empty()) {
    JsonArray known;
    for (const Finding& finding : result.known)
      known.push_back(JsonObject{{"rule", finding.rule}, {"message", finding.sentence}});
    json["known_findings"] = known;
  }
  return indented_json(json);
}

/// A message of a workflow command; of a property also : and ,
std::string escaped(std::string_view text, bool isProperty) {
  std::string result;
  for (const char c : text) {
    const bool isSpecial = c == '%' || c == '\r' || c == '\n' || (isProperty && (c == ':' || c == ','));
    result +=
        isSpecial ? fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c))) : std::string(1, c);
  }
  return result;
}

}  // namespace

std::span<const std::string> checkFormatNames() {
  static const std::array<std::string, 5> names{"text", "json", "sarif", "junit", "github"};
  return names;
}

std::string checkAs(CheckFormat format, const CheckResult& result) {
  switch (format) {
    case CheckFormat::json: return checkAsJsonText(result);
    case CheckFormat::sarif: return checkAsSarif(result);
    case CheckFormat::junit: return checkAsJunit(result);
    case CheckFormat::github: return checkAsGithub(result);
    case CheckFormat::text: break;
  }
  return (result.output ? checkAsText(*result.output) : reportAsText(result.report) + "\n") + knownLine(result);
}

std::string checkAsGithub(const CheckResult& result) {
  const LintReport& report = result.report;
  std::string lines;
  for (const auto& all : {report.findings, report.questions})
    for (const Finding& finding : all) {
      const auto place = placeOf(finding, result.output, result.file);
      std::string properties;
      if (!result.file.path.empty()) properties += "file=" + escaped(result.file.path, true) + ",";
      if (place.line > 0) properties += fmt::format("line={},col={},", place.line, place.column);
      const bool isQuestion = finding.severity == Severity::question;
      lines += fmt::format("::{} {}title={}::{}\n", isQuestion ? "notice" : severity_word(finding.severity), properties,
                           finding.rule, escaped(sample_of(finding) + finding.sentence, false));
    }
  return lines + report.summary() + "\n" + knownLine(result);
}

}  // namespace vqscope
