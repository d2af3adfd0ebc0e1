// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/check_command.h"

#include "app/console.h"
#include "app/export_request.h"
#include "app/help.h"
#include "app/interrupts.h"
#include "app/progress_line.h"
#include "core/base/registry.h"
#include "core/base/text.h"
#include "core/mask/contract.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace vqscope {
namespace {

struct CheckArguments {
  bool help = false;
  bool json = false;
  bool strict = false;
  bool listRules = false;
  std::vector<std::string> rules;
  ExportArguments shared;  ///< --set, --array, --session, and what --objective and --window set
};

const std::vector<std::string>& optionNames() {
  static const std::vector<std::string> all{"--set",  "--array",  "--session", "--objective",  "--window",
                                            "--rule", "--strict", "--json",    "--list-rules", "--help"};
  return all;
}

bool* flagOf(CheckArguments& arguments, const QString& name) {
  if (name == "--json") return &arguments.json;
  if (name == "--strict") return &arguments.strict;
  if (name == "--list-rules") return &arguments.listRules;
  return name == "--help" || name == "-h" ? &arguments.help : nullptr;
}

Result<void> addRule(CheckArguments& arguments, const std::string& id) {
  std::vector<std::string> known;
  for (const auto& rule : contract_rules()) known.push_back(rule.id);
  arguments.rules.push_back(id);
  if (std::ranges::count(known, id) > 0) return {};
  return invalid("unknown rule " + id + did_you_mean(id, known) + " (vqscope check --list-rules shows all)");
}

/// Options that `export` knows too are left to its reader, --objective X is --set objective=X.
Result<CheckArguments> parseArguments(const QStringList& arguments) {
  CheckArguments parsed;
  QStringList shared;
  for (qsizetype at = 0; at < arguments.size(); ++at) {
    const qsizetype equals = arguments[at].indexOf('=');
    const QString name = arguments[at].left(equals);
    if (bool* flag = flagOf(parsed, name)) {
      if (equals >= 0) return invalid(name.toStdString() + " takes no value");
      *flag = true;
      continue;
    }
    if (!name.startsWith('-')) return invalid("check takes no " + arguments[at].toStdString() + ", give options");
    if (std::ranges::count(optionNames(), name.toStdString()) == 0)
      return invalid("unknown option " + name.toStdString() + did_you_mean(name.toStdString(), optionNames()));
    if (equals < 0 && at + 1 == arguments.size()) return invalid(name.toStdString() + " needs a value");
    const QString value = equals < 0 ? arguments[++at] : arguments[at].mid(equals + 1);
    if (name == "--rule") {
      if (auto added = addRule(parsed, value.toStdString()); !added) return added.error();
    } else if (name == "--objective" || name == "--window") {
      shared << "--set=" + name.mid(2) + '=' + value;
    } else {
      shared << name + '=' + value;
    }
  }
  auto read = readExportOptions(shared);
  if (!read) return read.error();
  parsed.shared = std::move(*read);
  return parsed;
}

Result<ContractCase> caseOf(const CheckArguments& arguments) {
  const Method& method = *find_method("visibility");
  const auto page = startingPage(method, arguments.shared.session);
  if (!page) return page.error();
  ParameterValues preset = carried_values(method, page->values);
  const auto specs = contract_parameters();
  ParameterValues stated = default_values(specs);
  for (const auto& setting : arguments.shared.settings) {
    const bool own = find_spec(specs, setting.name) != nullptr;
    auto applied = own ? applySetting(setting, specs, "check", stated)
                       : applySetting(setting, method.parameters, method.id, preset);
    if (!applied) return applied.error();
  }
  if (auto checked = check_values(specs, stated); !checked) return checked.error();
  if (auto checked = check_method_values(method, preset); !checked) return checked.error();
  auto base = contract_case(preset);
  if (!base) return base.error();
  return contract_case(std::move(*base), stated);
}

const char* word(Severity severity) { return severity == Severity::error ? "error" : "warning"; }

std::string asText(const ContractReport& report) {
  std::string text;
  for (const auto& finding : report.findings)
    text += std::string(word(finding.severity)) + ": " + finding.rule + ": " + finding.sentence + "\n";
  return text + report.summary() + "\n";
}

QJsonValue orNull(const std::optional<Index>& index) {
  return index ? QJsonValue(static_cast<qint64>(*index)) : QJsonValue(QJsonValue::Null);
}

QString qt(const std::string& utf8) { return QString::fromStdString(utf8); }

std::string asJson(const ContractCase& given, const ContractReport& report) {
  QJsonArray findings;
  for (const auto& finding : report.findings)
    findings.append(QJsonObject{{"rule", qt(finding.rule)},
                                {"severity", word(finding.severity)},
                                {"row", orNull(finding.row)},
                                {"key", orNull(finding.key)},
                                {"count", static_cast<qint64>(finding.count)},
                                {"unit", qt(finding.unit)},
                                {"message", qt(finding.sentence)}});
  QJsonArray rules;
  for (const auto& outcome : report.outcomes)
    rules.append(QJsonObject{
        {"rule", qt(outcome.rule)}, {"asked", outcome.not_asked.empty()}, {"reason", qt(outcome.not_asked)}});
  const QJsonObject all{{"objective", qt(objective_name(given.objective))},
                        {"shape", QJsonArray{static_cast<qint64>(given.layout.q_length()),
                                             static_cast<qint64>(given.layout.kv_length())}},
                        {"findings", findings},
                        {"rules", rules},
                        {"rows_checked", static_cast<qint64>(report.rows_checked)},
                        {"complete", report.complete},
                        {"summary", qt(report.summary())}};
  return QJsonDocument(all).toJson().toStdString();
}

std::string rulesAsText() {
  std::string text;
  for (const auto& rule : contract_rules())
    text += rule.id + "\n  " + rule.title + ": " + rule.checks + "\n  Source: " + rule.source + "\n";
  text += "\nParameters of the contract\n";
  for (const auto& spec : contract_parameters()) text += spec.name + "\n  " + spec.help + " " + allowed(spec) + "\n";
  return text;
}

std::string rulesAsJson() {
  QJsonArray rules;
  for (const auto& rule : contract_rules())
    rules.append(QJsonObject{
        {"rule", qt(rule.id)}, {"title", qt(rule.title)}, {"checks", qt(rule.checks)}, {"source", qt(rule.source)}});
  return QJsonDocument(QJsonObject{{"rules", rules}}).toJson().toStdString();
}

int check(const CheckArguments& arguments) {
  const auto given = caseOf(arguments);
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
  if (const int status = print(arguments.json ? asJson(*given, report) : asText(report)); status != exitDone)
    return status;
  if (!report.complete) return exitInterrupted;
  const bool bad = report.count(Severity::error) > 0 || (arguments.strict && !report.findings.empty());
  return bad ? exitFindings : exitDone;
}

}  // namespace

int runCheck(const QStringList& arguments) {
  const auto parsed = parseArguments(arguments);
  if (!parsed) return fail(parsed.error());
  if (parsed->help) return print(checkHelp());
  if (parsed->listRules) return print(parsed->json ? rulesAsJson() : rulesAsText());
  return check(*parsed);
}

}  // namespace vqscope
