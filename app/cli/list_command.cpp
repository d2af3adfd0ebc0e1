// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "app/cli/arguments/option_table.h"
#include "app/cli/output/list_text.h"
#include "app/cli/output/method_json.h"
#include "app/process/console.h"
#include "core/base/sentence.h"
#include "core/catalogue/experiment_presets.h"
#include "core/catalogue/registry.h"
#include "core/catalogue/survey/survey_files.h"
#include "core/io/bytes/path_text.h"
#include "core/io/json/json_value.h"

#include <algorithm>
#include <vector>

namespace vqscope {
namespace {

struct ListArguments {
  bool json = false;
  bool presets = false;
  bool gallery = false;
  bool survey = false;
  bool csv = false;
  bool help = false;
  std::vector<const Method*> methods;  ///< empty: all
};

OptionTable<ListArguments> listOptions() {
  return {jsonOption<ListArguments>("print everything about each method or preset as JSON"),
          flagOption<ListArguments>("--presets", &ListArguments::presets,
                                    "list the presets of experiments, or those of METHOD"),
          flagOption<ListArguments>("--gallery", &ListArguments::gallery, "list the gallery of the page Start"),
          flagOption<ListArguments>("--survey", &ListArguments::survey,
                                    "compare all position encodings and RoPE scalings, and list the views of each"),
          flagOption<ListArguments>("--csv", &ListArguments::csv, "print the survey as CSV")};
}

Result<void> addMethod(ListArguments& arguments, const std::string& name) {
  const auto method = require_method(name);
  if (!method) return method.error();
  arguments.methods.push_back(*method);
  return {};
}

std::vector<const ExperimentPreset*> listedPresets(const ListArguments& arguments) {
  std::vector<const ExperimentPreset*> presets;
  for (const auto& preset : experiment_presets())
    if (arguments.methods.empty() || std::ranges::count(arguments.methods, preset.experiment) > 0)
      presets.push_back(&preset);
  return presets;
}

std::vector<const Method*> listedMethods() {
  std::vector<const Method*> all;
  for (const auto list : {methods(), file_methods()})
    for (const auto& method : list) all.push_back(&method);
  return all;
}

std::string listAsText(const ListArguments& arguments) {
  if (arguments.gallery) return galleryLines();
  if (arguments.presets) return presetLines(listedPresets(arguments));
  if (arguments.methods.empty()) return methodLines(listedMethods());
  std::string text;
  for (const auto* method : arguments.methods) text += (text.empty() ? "" : "\n") + methodText(*method);
  return text;
}

std::string listAsJson(const ListArguments& arguments) {
  if (arguments.gallery) return indented_json(JsonObject{{"vqscope", VQSCOPE_VERSION}, {"gallery", galleryToJson()}});
  JsonArray array;
  if (arguments.presets) {
    for (const auto* preset : listedPresets(arguments)) array.push_back(presetToJson(*preset));
    return indented_json(JsonObject{{"vqscope", VQSCOPE_VERSION}, {"presets", array}});
  }
  const auto shown = arguments.methods.empty() ? listedMethods() : arguments.methods;
  for (const auto* method : shown) array.push_back(methodToJson(*method));
  return indented_json(JsonObject{{"vqscope", VQSCOPE_VERSION}, {"methods", array}});
}

Result<void> checkLists(const ListArguments& arguments) {
  if (arguments.csv && !arguments.survey) return invalid("--csv needs --survey");
  if (arguments.csv && arguments.json) return invalid("--csv and --json exclude each other");
  if (arguments.survey && arguments.presets) return invalid("--survey and --presets exclude each other");
  if (arguments.gallery && (arguments.survey || arguments.presets))
    return invalid("--gallery and --{} exclude each other", arguments.survey ? "survey" : "presets");
  if (arguments.gallery && !arguments.methods.empty())
    return invalid("unexpected METHOD {}: --gallery lists all entries", arguments.methods.front()->id);
  if (arguments.survey && !arguments.methods.empty())
    return invalid("unexpected METHOD {}: --survey lists all encodings", arguments.methods.front()->id);
  if (arguments.presets && experiment_presets().empty())
    return invalid("--presets lists questions of the lab, which this build leaves out");
  return {};
}

std::string surveyOf(const ListArguments& arguments) {
  if (arguments.csv) return survey_csv();
  return arguments.json ? survey_json() : survey_text();
}

int runList(const std::vector<std::string>& arguments) {
  ListArguments parsed;
  if (auto read = readArguments<ListArguments>(parsed, arguments, listOptions(), addMethod); !read)
    return fail(read.error());
  if (parsed.help) return print(helpOf(listCommand()));
  if (auto checked = checkLists(parsed); !checked) return fail(checked.error());
  if (parsed.survey) return print(surveyOf(parsed));
  return print(parsed.json ? listAsJson(parsed) : listAsText(parsed));
}

}  // namespace

const Command& listCommand() {
  static const Command command{.usage = "list [METHOD] [--presets|--gallery|--survey] [--json]",
                               .summary = "all methods; parameters, ranges, defaults and source of one",
                               .run = runList,
                               .about = R"(
Prints one line for each method: id, page, kind of result, title. With METHOD, describes the method: parameters with
defaults and ranges, inputs, source. With --presets, lists the questions that experiments answer with preset values:
vqscope run --preset NAME. With --gallery, lists the sessions of the page Start. With --survey, compares position
encodings and RoPE scalings: relative, trainable, in each layer, beyond the training length, trade-off, published
results, views.
)",
                               .ending = R"(
Exit status: 0 done; 2 refused, with one line on stderr.

Example: vqscope list rope_phase
         vqscope list visibility --json
)",
                               .options = [] { return linesOf(listOptions()); }};
  return command;
}

}  // namespace vqscope
