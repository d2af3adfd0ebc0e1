// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "app/cli/arguments/batch_file.h"
#include "app/cli/arguments/mask_arguments.h"
#include "app/cli/captures/opened_capture.h"
#include "app/cli/linted_mask.h"
#include "app/cli/output/formats/baseline.h"
#include "app/cli/output/formats/check_formats.h"
#include "app/cli/output/progress_line.h"
#include "app/process/console.h"
#include "app/process/interrupts.h"
#include "core/base/sentence.h"
#include "core/capture/rules/capture_rules.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/io/json/json_value.h"
#include "core/mask/preset/presets.h"

#include <algorithm>
#include <filesystem>
#include <optional>

namespace vqscope {
namespace {

struct CheckArguments : MethodArguments {
  bool json = false;
  std::optional<CheckFormat> format;
  std::optional<std::string> baseline;
  bool writesBaseline = false;
  bool strict = false;
  bool listRules = false;
  std::vector<std::string> rules;
  std::vector<std::string> files;
  std::string capture;  ///< a folder
};

Result<void> readFormat(CheckArguments& arguments, const std::string& text) {
  const auto names = checkFormatNames();
  const auto found = std::ranges::find(names, text);
  if (found == names.end())
    return refusedOption("--format", text, "one of " + join(names, ", ") + did_you_mean(text, names));
  arguments.format = static_cast<CheckFormat>(found - names.begin());
  return {};
}

OptionTable<CheckArguments> checkCommandOptions() {
  auto table = lintOptions<CheckArguments>();
  table.push_back(ruleOption<CheckArguments>());
  table.push_back(flagOption("--strict", &CheckArguments::strict, "warnings count as findings"));
  table.push_back(jsonOption<CheckArguments>("print findings and rules as JSON"));
  table.push_back({{"--format", "NAME",
                    "print text (if not given), json, sarif (SARIF 2.1.0), junit (XML) or github (workflow commands)",
                    false, "text json sarif junit github"},
                   readFormat});
  table.push_back({{"--baseline", "FILE", "leave out the findings that this file knows"},
                   taking<CheckArguments>(&CheckArguments::baseline)});
  table.push_back(
      flagOption("--write-baseline", &CheckArguments::writesBaseline,
                 "write the findings of this check to the file of --baseline, beside those of other masks"));
  table.push_back(flagOption("--list-rules", &CheckArguments::listRules,
                             "list every rule with its source, and every parameter of the expected mask"));
  return table;
}

Result<void> addFile(CheckArguments& arguments, const std::string& path) {
  arguments.files.push_back(path);
  return {};
}

/// FILE is --mask or --batch-file.
Result<void> takeFiles(CheckArguments& arguments) {
  if (arguments.files.empty()) return {};
  std::vector<std::string> given = arguments.files;
  for (const auto& option : {arguments.mask, arguments.batchFile})
    if (option) given.push_back(*option);
  if (given.size() > 1)
    return invalid("check takes one FILE; {} and {} were given", shown_input(given[0]), shown_input(given[1]));
  const std::string& path = given[0];
  const bool isPreset = std::ranges::count(mask_presets(), path, &MaskPreset::id) > 0;
  if (isPreset && !open_file(path))
    return invalid("{} is a mask of this program, not a file: --set mask={}", path, path);
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    arguments.capture = path;
  else
    takeFile(arguments, path);
  return {};
}

Result<CheckArguments> parseCheckArguments(const std::vector<std::string>& arguments) {
  auto parsed = readMaskArguments<CheckArguments>(checkCommand().name(), arguments, checkCommandOptions(), addFile);
  if (!parsed) return parsed;
  parsed->states = true;
  if (parsed->help || parsed->listRules) return parsed;
  if (auto taken = takeFiles(*parsed); !taken) return taken.error();
  if (parsed->json && parsed->format && parsed->format != CheckFormat::json)
    return invalid("--json and --format {} exclude each other",
                   checkFormatNames()[static_cast<std::size_t>(*parsed->format)]);
  if (parsed->json) parsed->format = CheckFormat::json;
  if (parsed->writesBaseline && !parsed->baseline) return invalid("--write-baseline needs --baseline FILE");
  return parsed;
}

std::vector<LintRuleInfo> allRules() {
  auto rules = lint_rules();
  for (const LintRuleInfo& rule : capture_rules()) rules.push_back(rule);
  return rules;
}

std::string rulesAsText() {
  std::string text;
  for (const auto& rule : allRules())
    text += rule.id + "\n  " + rule.title + ": " + rule.checks + "\n  Source: " + rule.source + "\n";
  text += "\nParameters of the expected mask\n";
  for (const auto& spec : lint_parameters()) text += spec.name + "\n  " + spec.help + " " + allowed(spec) + "\n";
  return text;
}

std::string rulesAsJson() {
  JsonArray rules;
  for (const auto& rule : allRules())
    rules.push_back(
        JsonObject{{"rule", rule.id}, {"title", rule.title}, {"checks", rule.checks}, {"source", rule.source}});
  return indented_json(JsonObject{{"rules", rules}});
}

int writeKnown(const CheckArguments& arguments, const LintReport& report, const CheckedFile& file) {
  if (!report.complete) return fail({Errc::too_large, "not written: " + report.summary()});
  auto baseline = Baseline::read(*arguments.baseline, true);
  if (!baseline) return fail(baseline.error());
  const auto written = baseline->write(*arguments.baseline, report, file);
  return written ? exitDone : fail(written.error());
}

/// `output`: of a mask, or null. Known findings leave the report.
int printReport(const CheckArguments& arguments, LintReport& report, const CheckedFile& file,
                const CheckOutput* output) {
  CheckResult result{.report = report,
                     .output = output,
                     .file = file,
                     .baseline = arguments.baseline.value_or(""),
                     .strict = arguments.strict};
  if (arguments.baseline) {
    const auto baseline = Baseline::read(*arguments.baseline, false);
    if (!baseline) return fail(baseline.error());
    result.known = baseline->takeKnown(report, file);
  }
  return print(checkAs(arguments.format.value_or(CheckFormat::text), result));
}

int checkCapture(const CheckArguments& arguments) {
  const auto capture = openedCapture(arguments.capture);
  if (!capture) return fail(capture.error());
  const Interrupts interrupts;
  std::optional<ProgressLine> line(std::in_place);
  auto report = check_capture(
      *capture, {.progress = [&line](double fraction) { line->show(fraction); }, .stop = interrupts.token()});
  line.reset();
  if (!report) return fail(report.error());
  const CheckedFile file{.path = arguments.capture, .text = {}};
  if (arguments.writesBaseline) return writeKnown(arguments, *report, file);
  const int status = printReport(arguments, *report, file, nullptr);
  return status == exitDone && !report->findings.empty() ? exitFindings : status;
}

int check(const CheckArguments& arguments) {
  Interrupts interrupts;
  std::optional<ProgressLine> line(std::in_place);
  auto checked =
      lintSamples(arguments, arguments.rules, interrupts.token(), [&line](double fraction) { line->show(fraction); });
  line.reset();
  if (!checked) return fail(errorOfText(checked.error(), arguments.mask));
  checked->samples.say();
  const CheckedFile file = checkedFile(arguments, checked->samples);
  if (arguments.writesBaseline) return writeKnown(arguments, checked->report, file);
  const CheckOutput output{checked->first, checked->report, checked->samples, checked->fix};
  const int status = printReport(arguments, checked->report, file, &output);
  return status == exitDone ? checked->status(arguments.strict) : status;
}

int runCheck(const std::vector<std::string>& arguments) {
  const auto parsed = parseCheckArguments(arguments);
  if (!parsed) return fail(parsed.error());
  if (parsed->help) return print(helpOf(checkCommand()));
  if (parsed->listRules) return print(parsed->json ? rulesAsJson() : rulesAsText());
  return parsed->capture.empty() ? check(*parsed) : checkCapture(*parsed);
}

}  // namespace

const Command& checkCommand() {
  static const Command command{.usage = "check [FILE] [options]",
                               .summary = "lint a mask and its positions; exit 1 if there are findings",
                               .run = runCheck,
                               .about = R"(
Lints a mask, its positions, its labels and the way it is passed to a library. Prints one line for each finding, then one
for each question, which names an input that a rule needs. Questions are not findings. FILE is a mask, as with --mask, or
a collator's batch, as with --batch-file: its names decide; or the folder of a capture, of which each layer's numbers,
weights, mask and positions are checked.
)",
                               .ending = R"(
With --baseline FILE, findings that the file knows are not reported and do not count. A finding is known by its rule, its
file and its words without numbers. --write-baseline makes the file.

Exit status: 0 clean, warnings allowed; 1 findings; 2 refused, with one line on stderr; 130 interrupted.

Example: vqscope check --set mask=sliding_window --set sliding_window=129 --window 128
         vqscope check batch.pt
         vqscope check capture
         vqscope check mask.py --format sarif --baseline known.json > vqscope.sarif
         vqscope check --mask prefix.py --set q_length=6 --objective prefix --prefix 3 --array labels=-100,-100,3,4,5,6
)",
                               .options = [] { return linesOf(checkCommandOptions()); }};
  return command;
}

}  // namespace vqscope
