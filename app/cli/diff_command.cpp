// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "app/cli/arguments/export_request.h"
#include "app/cli/arguments/mask_arguments.h"
#include "app/cli/output/progress_line.h"
#include "app/process/console.h"
#include "app/process/interrupts.h"
#include "core/io/json/json_value.h"
#include "core/mask/mask_difference.h"
#include "core/mask/recognise/relation.h"

namespace vqscope {
namespace {

struct DiffArguments : ComparedArguments {
  bool json = false;
};

OptionTable<DiffArguments> diffOptions() {
  auto table = methodOptions<DiffArguments>(
      {.set = "a parameter of the first mask (vqscope list visibility shows them); may be repeated"});
  addMinusOptions(table, "the second mask is the first with this parameter instead; may be repeated",
                  "file of the second mask; the first mask takes the length of its cells unless you set another");
  table.push_back(jsonOption<DiffArguments>());
  return table;
}

Result<DiffArguments> parseDiffArguments(const std::vector<std::string>& arguments) {
  auto parsed = readMaskArguments<DiffArguments>(diffCommand().name(), arguments, diffOptions());
  if (!parsed) return parsed;
  if (!parsed->help && parsed->minus.empty() && !parsed->minusMask)
    return invalid("diff needs the second mask: --minus NAME=VALUE or --minus-mask FILE");
  return parsed;
}

struct Difference {
  MaskComparison cells;
  std::string relation;  ///< "the second is the first with a window of 129"; may be empty
};

Result<Difference> differenceOf(const DiffArguments& arguments, const ExportRequest& request) {
  const auto first = maskOf(*request.method, request.values);
  if (!first) return errorOfText(first.error(), arguments.mask);
  const auto second = maskOf(*request.method, *subtrahend(*request.method, request.look));
  if (!second) return errorOfText(second.error(), arguments.minusMask ? arguments.minusMask : arguments.mask);
  Interrupts interrupts;
  ProgressLine line;
  auto cells = compare_masks(**first, **second,
                             {.progress = [&](double fraction) { line.show(fraction); }, .stop = interrupts.token()});
  if (!cells) return cells.error();
  const bool differ = !cells->equal();
  return Difference{std::move(*cells),
                    differ ? relation_of(**first, **second, "the first", "the second", interrupts.token()) : ""};
}

std::string diffAsJson(const MaskComparison& difference, const std::string& relation) {
  JsonObject object{{"equal", difference.equal()},           {"complete", difference.complete},
                    {"rows_compared", difference.rows},      {"only_first", difference.only_first},
                    {"only_second", difference.only_second}, {"first", nullptr},
                    {"summary", difference.sentence()},      {"relation", nullptr}};
  if (!relation.empty()) object["relation"] = relation;
  if (difference.first)
    object["first"] = JsonObject{{"row", difference.first->q},
                                 {"key", difference.first->kv},
                                 {"visible_in", difference.first_sees ? "first" : "second"}};
  return indented_json(object);
}

int runDiff(const std::vector<std::string>& arguments) {
  const auto parsed = parseDiffArguments(arguments);
  if (!parsed) return fail(parsed.error());
  if (parsed->help) return print(helpOf(diffCommand()));
  const auto request = comparedRequest(*parsed);
  if (!request) return fail(request.error());
  const auto difference = differenceOf(*parsed, *request);
  if (!difference) return fail(difference.error());
  const auto& [cells, relation] = *difference;
  if (cells.equal() && !cells.complete) return fail({Errc::too_large, cells.sentence()});
  const std::string lines = cells.sentence() + "\n" + (relation.empty() ? "" : relation + "\n");
  const int status = print(parsed->json ? diffAsJson(cells, relation) : lines);
  if (status != exitDone) return status;
  return cells.equal() ? exitDone : exitFindings;
}

}  // namespace

const Command& diffCommand() {
  static const Command command{.usage = "diff [options]",
                               .summary = "where two masks differ; exit 1 if they do",
                               .run = runDiff,
                               .about = R"(
Compares two masks of equal size: counts the cells that are visible in the first or in the second mask only, and prints
the first such cell and, if both are recognised, what the second mask is in terms of the first. --minus NAME=VALUE or
--minus-mask FILE gives the second mask.
)",
                               .ending = R"(
Exit status: 0 equal; 1 different; 2 refused, with one line on stderr; 130 interrupted.

Example: vqscope diff --set mask=packed --set q_length=4096 --minus-mask mask.npy
)",
                               .options = [] { return linesOf(diffOptions()); }};
  return command;
}

}  // namespace vqscope
