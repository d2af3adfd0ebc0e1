// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/check_command.h"

#include "app/cli/arguments/contract_request.h"
#include "app/cli/output/progress_line.h"
#include "app/process/console.h"
#include "app/process/interrupts.h"
#include "core/io/json/json_value.h"
#include "core/lint/contract.h"
#include "widgets/parts/file_name.h"

#include <algorithm>

namespace vqscope {
namespace {

struct CheckArguments : MethodArguments {
  bool json = false;
  bool strict = false;
  bool listRules = false;
  std::vector<std::string> rules;
};

Result<void> addRule(CheckArguments& arguments, const QString& given) {
  const std::string id = bytesOf(given);
  std::vector<std::string> known;
  for (const auto& rule : contract_rules()) known.push_back(rule.id);
  arguments.rules.push_back(id);
  if (std::ranges::count(known, id) > 0) return {};
  return invalid("unknown rule " + shortened(id) + did_you_mean(id, known) + " (see vqscope check --list-rules)");
}

const OptionTable<CheckArguments>& checkCommandOptions() {
  static const OptionTable<CheckArguments> all = [] {
    auto table = contractOptions<CheckArguments>();
    table.push_back({{"--rule", "ID", "check this rule alone; may be repeated"}, addRule});
    table.push_back(flagOption("--strict", &CheckArguments::strict, "warnings count as findings"));
    table.push_back(jsonOption<CheckArguments>("print findings and rules as JSON"));
    table.push_back(flagOption("--list-rules", &CheckArguments::listRules,
                               "list every rule with its source, and every parameter of the expected mask"));
    return table;
  }();
  return all;
}

Result<CheckArguments> parseCheckArguments(const QStringList& arguments) {
  return readMaskArguments<CheckArguments>(checkCommand().name(), arguments, checkCommandOptions());
}

const char* word(Severity severity) {
  switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::question: break;
  }
  return "question";
}

std::string checkAsText(const ContractCase& given, const ContractReport& report) {
  std::string text;
  for (const auto& all : {report.findings, report.questions})
    for (const auto& finding : all)
      text += std::string(word(finding.severity)) + ": " + finding.rule + ": " + finding.sentence + "\n";
  const std::string assumed = "; the objective is assumed to be " + objective_name(given.objective);
  return text + report.summary() + (given.objective_assumed ? assumed : "") + "\n";
}

JsonValue orNull(const std::optional<Index>& index) { return index ? JsonValue(*index) : JsonValue(); }

std::string checkAsJson(const ContractCase& given, const ContractReport& report) {
  JsonArray findings;
  for (const auto& finding : report.findings)
    findings.push_back(JsonObject{{"rule", finding.rule},
                                  {"severity", word(finding.severity)},
                                  {"row", orNull(finding.row)},
                                  {"key", orNull(finding.key)},
                                  {"count", finding.count},
                                  {"unit", finding.unit},
                                  {"message", finding.sentence}});
  JsonArray rules;
  for (const auto& outcome : report.outcomes)
    rules.push_back(
        JsonObject{{"rule", outcome.rule}, {"asked", outcome.not_asked.empty()}, {"reason", outcome.not_asked}});
  JsonArray questions;
  for (const auto& question : report.questions)
    questions.push_back(JsonObject{{"rule", question.rule}, {"message", question.sentence}});
  const JsonObject all{{"objective", objective_name(given.objective)},
                       {"objective_assumed", given.objective_assumed},
                       {"shape", JsonArray{given.layout.q_length(), given.layout.kv_length()}},
                       {"findings", findings},
                       {"questions", questions},
                       {"rules", rules},
                       {"rows_checked", report.rows_checked},
                       {"complete", report.complete},
                       {"summary", report.summary()}};
  return indented_json(all);
}

std::string rulesAsText() {
  std::string text;
  for (const auto& rule : contract_rules())
    text += rule.id + "\n  " + rule.title + ": " + rule.checks + "\n  Source: " + rule.source + "\n";
  text += "\nParameters of the expected mask\n";
  for (const auto& spec : contract_parameters()) text += spec.name + "\n  " + spec.help + " " + allowed(spec) + "\n";
  return text;
}

std::string rulesAsJson() {
  JsonArray rules;
  for (const auto& rule : contract_rules())
    rules.push_back(
        JsonObject{{"rule", rule.id}, {"title", rule.title}, {"checks", rule.checks}, {"source", rule.source}});
  return indented_json(JsonObject{{"rules", rules}});
}

int check(const CheckArguments& arguments) {
  const auto given = contractRequest(arguments);
  if (!given) return fail(given.error());
  Interrupts interrupts;
  ContractReport report;
  {
    ProgressLine line;
    report =
        check_contract(*given, {.rules = arguments.rules, .stop = interrupts.token(), .progress = [&](double fraction) {
                                  line.show(fraction);
                                }});
  }
  if (const int status = print(arguments.json ? checkAsJson(*given, report) : checkAsText(*given, report));
      status != exitDone)
    return status;
  if (report.stopped) return exitInterrupted;
  const bool bad = report.count(Severity::error) > 0 || (arguments.strict && !report.findings.empty());
  // A mask that was not checked completely is not clean.
  return bad ? exitFindings : report.complete ? exitDone : exitRefused;
}

int runCheck(const QStringList& arguments) {
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
