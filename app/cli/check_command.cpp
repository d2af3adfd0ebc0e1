// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "app/cli/arguments/lint_request.h"
#include "app/cli/arguments/samples.h"
#include "app/cli/output/check_output.h"
#include "app/cli/output/progress_line.h"
#include "app/process/console.h"
#include "app/process/interrupts.h"
#include "core/io/bytes/path_text.h"
#include "core/io/json/json_value.h"
#include "core/lint/batch_report.h"

#include <algorithm>
#include <optional>

namespace vqscope {
namespace {

struct CheckArguments : MethodArguments {
  bool json = false;
  bool strict = false;
  bool listRules = false;
  std::vector<std::string> rules;
};

Result<void> addRule(CheckArguments& arguments, const std::string& id) {
  std::vector<std::string> known;
  for (const auto& rule : lint_rules()) known.push_back(rule.id);
  arguments.rules.push_back(id);
  if (std::ranges::count(known, id) > 0) return {};
  return invalid("unknown rule " + shortened(id) + did_you_mean(id, known) + " (see vqscope check --list-rules)");
}

OptionTable<CheckArguments> checkCommandOptions() {
  auto table = lintOptions<CheckArguments>();
  table.push_back({{"--rule", "ID", "check this rule alone; may be repeated"}, addRule});
  table.push_back(flagOption("--strict", &CheckArguments::strict, "warnings count as findings"));
  table.push_back(jsonOption<CheckArguments>("print findings and rules as JSON"));
  table.push_back(flagOption("--list-rules", &CheckArguments::listRules,
                             "list every rule with its source, and every parameter of the expected mask"));
  return table;
}

Result<CheckArguments> parseCheckArguments(const std::vector<std::string>& arguments) {
  auto parsed = readMaskArguments<CheckArguments>(checkCommand().name(), arguments, checkCommandOptions());
  if (parsed) parsed->states = true;
  return parsed;
}

std::string rulesAsText() {
  std::string text;
  for (const auto& rule : lint_rules())
    text += rule.id + "\n  " + rule.title + ": " + rule.checks + "\n  Source: " + rule.source + "\n";
  text += "\nParameters of the expected mask\n";
  for (const auto& spec : lint_parameters()) text += spec.name + "\n  " + spec.help + " " + allowed(spec) + "\n";
  return text;
}

std::string rulesAsJson() {
  JsonArray rules;
  for (const auto& rule : lint_rules())
    rules.push_back(
        JsonObject{{"rule", rule.id}, {"title", rule.title}, {"checks", rule.checks}, {"source", rule.source}});
  return indented_json(JsonObject{{"rules", rules}});
}

struct Checked {
  LintCase first;
  LintReport report;
};

/// A sample whose tokens are all padding: its queries see nothing.
LintReport paddingReport() {
  LintReport report;
  for (const auto& rule : lint_rules()) report.outcomes.push_back({rule.id, "the sample is padding alone"});
  report.findings.push_back({.rule = "empty_row",
                             .severity = Severity::error,
                             .sentence = "the sample has no real token: every row sees no key",
                             .count = 1,
                             .unit = "samples"});
  return report;
}

/// Equal samples of a batch are checked once.
Result<Checked> checkAll(const CheckArguments& arguments, const Samples& samples, const std::stop_token& stop) {
  ProgressLine line;
  std::optional<LintCase> first;
  std::vector<LintReport> reports;
  const std::size_t count = samples.cases.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (samples.cases[i].isPadding) {
      reports.push_back(paddingReport());
      continue;
    }
    const auto given = lintRequest(samples.cases[i].arguments);
    if (!given) return given.error();
    if (!first) first = *given;
    const auto progress = [&](double fraction) {
      line.show((static_cast<double>(i) + fraction) / static_cast<double>(count));
    };
    reports.push_back(lint_mask(*given, {.rules = arguments.rules, .stop = stop, .progress = progress}));
  }
  if (!first) return invalid("every sample is padding alone");
  std::vector<LintReport> all;
  for (const std::size_t each : samples.caseOf) all.push_back(reports[each]);
  return Checked{std::move(*first), joined_reports(all, samples.headsChecked)};
}

int check(const CheckArguments& arguments) {
  const auto samples = samplesOf(arguments);
  if (!samples) return fail(samples.error());
  Interrupts interrupts;
  const auto checked = checkAll(arguments, *samples, interrupts.token());
  if (!checked) return fail(checked.error());
  samples->say();
  const LintReport& report = checked->report;
  const CheckOutput output{checked->first, report, *samples};
  if (const int status = print(arguments.json ? checkAsJson(output) : checkAsText(output)); status != exitDone)
    return status;
  if (report.stopped) return exitInterrupted;
  const bool bad = report.count(Severity::error) > 0 || (arguments.strict && !report.findings.empty());
  // A mask that was not checked completely is not clean.
  return bad ? exitFindings : report.complete ? exitDone : exitRefused;
}

int runCheck(const std::vector<std::string>& arguments) {
  const auto parsed = parseCheckArguments(arguments);
  if (!parsed) return fail(parsed.error());
  if (parsed->help) return print(helpOf(checkCommand(), checkCommandOptions()));
  if (parsed->listRules) return print(parsed->json ? rulesAsJson() : rulesAsText());
  return check(*parsed);
}

}  // namespace

const Command& checkCommand() {
  static const Command command{.usage = "check [options]",
                               .summary = "lint a mask and its positions; exit 1 if there are findings",
                               .run = runCheck,
                               .about = R"(
Lints a mask, its positions, its labels and the way it is passed to a library. Prints one line for each finding, then one
for each question, which names an input that a rule needs. Questions are not findings.
)",
                               .ending = R"(
Exit status: 0 clean, warnings allowed; 1 findings; 2 refused, with one line on stderr; 130 interrupted.

Example: vqscope check --set mask=sliding_window --set sliding_window=129 --window 128
         vqscope check --mask prefix.py --set q_length=6 --objective prefix --prefix 3 --array labels=-100,-100,3,4,5,6
)"};
  return command;
}

}  // namespace vqscope
