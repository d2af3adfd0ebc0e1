// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "app/cli/arguments/export_request.h"
#include "app/cli/arguments/lint_request.h"
#include "app/cli/arguments/mask_arguments.h"
#include "app/cli/arguments/samples.h"
#include "app/cli/arguments/session/command_session.h"
#include "app/cli/figures.h"
#include "app/cli/linted_mask.h"
#include "app/cli/output/progress_line.h"
#include "app/process/console.h"
#include "app/process/interrupts.h"
#include "app/process/report_date.h"
#include "core/base/sentence.h"
#include "core/catalogue/registry.h"
#include "core/io/bytes/path_text.h"
#include "core/report/report.h"
#include "core/session/session_json.h"

#include <algorithm>

namespace vqscope {
namespace {

struct ReportArguments : MethodArguments {
  std::optional<Index> row;
  std::optional<Index> key;
  std::optional<ReportFormat> format;
  std::vector<std::string> outputs;
};

OptionAction<ReportArguments> readWholeNumber(const char* option, std::optional<Index> ReportArguments::*member) {
  return [=](ReportArguments& arguments, const std::string& given) -> Result<void> {
    arguments.*member = parse_index(given);
    return arguments.*member ? Result<void>() : refusedOption(option, given, "a whole number");
  };
}

Result<void> readReportFormat(ReportArguments& arguments, const std::string& given) {
  if (given != "html" && given != "md") return refusedOption("--format", given, "html or md");
  arguments.format = given == "html" ? ReportFormat::html : ReportFormat::markdown;
  return {};
}

OptionTable<ReportArguments> reportOptions() {
  auto table = lintOptions<ReportArguments>();
  table.push_back(tokensOption<ReportArguments>(", beside their numbers"));
  table.push_back({{"--row", "N", "explain a cell of this query; if not given, the first cell that breaks a rule"},
                   readWholeNumber("--row", &ReportArguments::row)});
  table.push_back({{"--key", "N", "and of this key; if not given, the query's own"},
                   readWholeNumber("--key", &ReportArguments::key)});
  table.push_back({{"--format", "HOW", "html or md; if not given, by the end of the file's name", false, "html md"},
                   readReportFormat});
  table.push_back(outputOption<ReportArguments>("the files to write, .html or .md; - is standard output"));
  return table;
}

Result<void> readReportMethod(ReportArguments& arguments, const std::string& id) {
  if (!arguments.method.empty())
    return invalid("report takes one METHOD, {} and {} were given", shortened(arguments.method), shortened(id));
  arguments.method = id;
  return {};
}

Result<ReportFormat> reportFormat(const ReportArguments& arguments, const std::string& path) {
  if (arguments.format) return *arguments.format;
  const std::string suffix = file_suffix(path);
  if (path == "-" || suffix == "html" || suffix == "htm") return ReportFormat::html;
  if (suffix == "md" || suffix == "markdown") return ReportFormat::markdown;
  return invalid("cannot tell a format from {}: it must end with .html or .md; --format chooses one", shown_path(path));
}

Result<ReportArguments> parseReportArguments(const std::vector<std::string>& given) {
  ReportArguments arguments;
  if (auto read = readArguments<ReportArguments>(arguments, given, reportOptions(), readReportMethod); !read)
    return read.error();
  if (arguments.help) return arguments;
  if (arguments.outputs.empty()) return invalid("report needs --out FILE");
  for (const auto& path : arguments.outputs)
    if (const auto format = reportFormat(arguments, path); !format) return format.error();
  if (arguments.key && !arguments.row) return invalid("--key needs --row, which is missing");
  if (!arguments.method.empty()) return arguments;
  auto method = arguments.session ? methodOfSession(*arguments.session) : Result<std::string>("visibility");
  if (!method) return method.error();
  arguments.method = std::move(*method);
  return arguments;
}

/// Where the first finding is that is in some samples or heads alone; else the first case that is no
/// padding alone.
std::size_t placeToShow(const Samples& samples, const LintReport& checks) {
  for (const auto& finding : checks.findings) {
    if (!finding.batch && !finding.head) continue;
    const Index sample = finding.batch.value_or(samples.firstSample) - samples.firstSample;
    const Index head = finding.head.value_or(samples.firstHead) - samples.firstHead;
    const auto place = static_cast<std::size_t>(sample * samples.headsChecked + head);
    if (place < samples.caseOf.size() && !samples.cases[samples.caseOf[place]].isPadding) return place;
  }
  const auto real = std::ranges::find(samples.cases, false, &Samples::Case::isPadding);
  return samples.withCases({static_cast<std::size_t>(real - samples.cases.begin())}).front();
}

/// A mask; of a batch, one sample and head with the findings in all of them.
Result<ReportRequest> maskRequest(const ReportArguments& arguments, const std::stop_token& stop) {
  auto samples = samplesOf(arguments);
  if (!samples) return samples.error();
  if (std::ranges::all_of(samples->cases, &Samples::Case::isPadding)) return invalid("every sample is padding alone");
  ReportRequest request{.session = {}, .curves = nullptr};
  if (samples->areSeveral()) {
    auto checked = lintSamples(arguments, {}, stop, [](double) {});
    if (!checked) return checked.error();
    request.checks = std::move(checked->report);
  }
  const std::size_t shown = placeToShow(*samples, request.checks.value_or(LintReport()));
  auto mask = statedRequest(samples->cases[samples->caseOf[shown]].arguments);
  if (!mask) return mask.error();
  auto session = sessionOf(arguments, mask->request, mask->stated);
  if (!session) return session.error();
  request.session = std::move(*session);
  if (samples->areSeveral()) {
    request.sample = samples->placeOf(shown);
    request.batch = samples->firstSample + static_cast<Index>(shown) / samples->headsChecked;
    request.head = samples->firstHead + static_cast<Index>(shown) % samples->headsChecked;
  }
  samples->say();
  return request;
}

/// The page of the survey, whose session has no method in front.
Result<ReportRequest> surveyRequest(const ReportArguments& arguments) {
  auto opened = read_session(*arguments.session);
  if (!opened) return opened.error();
  return ReportRequest{.session = std::move(opened->session), .curves = nullptr};
}

Result<ReportRequest> requestFor(const ReportArguments& arguments, const std::stop_token& stop) {
  if (arguments.method == "visibility") return maskRequest(arguments, stop);
  if (arguments.method.empty()) return surveyRequest(arguments);
  const auto request = methodRequest(arguments);
  if (!request) return request.error();
  auto session = sessionOf(arguments, *request, request->look.lint);
  if (!session) return session.error();
  return ReportRequest{.session = std::move(*session), .curves = nullptr};
}

/// Standard output comes last: it cannot be taken back.
Result<void> writeReport(const ReportArguments& arguments, const ReportDocument& document) {
  std::vector<ReportFile> files;
  std::optional<std::string> printed;
  for (const auto& path : arguments.outputs) {
    const ReportFormat format = *reportFormat(arguments, path);
    if (path == "-")
      printed = report_text(document, format);
    else
      for (auto& file : report_files(document, format, path)) files.push_back(std::move(file));
  }
  if (auto written = write_report(files); !written || !printed) return written;
  return print(*printed) == exitDone ? Result<void>() : invalid("cannot write to standard output");
}

Result<void> report(const ReportArguments& arguments) {
  const Interrupts interrupts;
  ProgressLine line;
  auto request = requestFor(arguments, interrupts.token());
  if (!request) return request.error();
  const std::string& first = arguments.outputs.front();
  request->method = arguments.method;
  request->row = arguments.row;
  request->col = arguments.key;
  request->figures = commandFigures();
  if (first != "-") request->file = std::string(file_name(first));
  request->program = "VQScope " VQSCOPE_VERSION ", " + reportDate();
  const auto document = make_report(
      *request, {.progress = [&line](double fraction) { line.show(fraction); }, .stop = interrupts.token()});
  return document ? writeReport(arguments, *document) : document.error();
}

int runReport(const std::vector<std::string>& arguments) {
  const auto parsed = parseReportArguments(arguments);
  if (!parsed) return fail(parsed.error());
  if (parsed->help) return print(helpOf(reportCommand()));
  const auto done = report(*parsed);
  return done ? exitDone : fail(errorOfText(done.error(), parsed->mask));
}

}  // namespace

const Command& reportCommand() {
  static const Command command{.usage = "report [METHOD] [options] --out FILE...",
                               .summary = "one page to hand over: picture, findings, rows, commands (.html .md)",
                               .run = runReport,
                               .about = R"(
Writes a report that people read without VQScope: what is shown, its picture, the findings of the checks with the rows
around the first of them, the commands that reproduce it, and the session, which opens again from the file. METHOD is
any of vqscope list that is a matrix or curves; without one it is that of the session's page in front, else the mask.
)",
                               .ending = R"(
The HTML file needs no network and runs no scripts. A Markdown file has its pictures in files beside it, report.svg
for report.md.
Exit status: 0 done; 2 refused, with one line on stderr and nothing written; 130 interrupted.

Example: vqscope report --mask mask.py --window 128 --out report.html
         vqscope report --session packed.vqscope --row 317 --out report.html report.md
         vqscope report rope_phase_seen --set rope_type=yarn --set q_length=32768 --out seen.html
)",
                               .options = [] { return linesOf(reportOptions()); }};
  return command;
}

}  // namespace vqscope
