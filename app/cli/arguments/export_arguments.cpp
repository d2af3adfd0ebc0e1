// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments/export_arguments.h"

#include "app/cli/output/printed_file.h"
#include "core/base/sentence.h"
#include "core/base/text.h"
#include "core/io/bytes/path_text.h"
#include "core/mask/blocks/block_mask_method.h"
#include "core/mask/row/additive.h"
#include "core/output/export_request.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

Result<void> readAggregate(ExportArguments& arguments, const std::string& text) {
  const auto& names = aggregate_names();
  const auto found = std::ranges::find(names, text);
  if (found == names.end()) return refusedOption("--aggregate", text, "one of " + join(names, ", "));
  arguments.aggregate = static_cast<Aggregate>(found - names.begin());
  return {};
}

Result<void> readAxes(ExportArguments& arguments, const std::string& text) {
  static const std::vector<std::pair<std::string, CurveAxes>> all{
      {"none", {false, false}}, {"x", {true, false}}, {"y", {false, true}}, {"xy", {true, true}}};
  const auto found = std::ranges::find(all, text, &std::pair<std::string, CurveAxes>::first);
  if (found == all.end()) return refusedOption("--log", text, "one of none, x, y, xy");
  arguments.axes = found->second;
  return {};
}

Result<void> readFormat(ExportArguments& arguments, const std::string& text) {
  std::vector<std::string> known;
  for (const auto format : split(printed_formats(), ' ')) known.emplace_back(format);
  if (std::ranges::count(known, text) == 0)
    return refusedOption("--format", text, "one of " + join(known, ", ") + did_you_mean(text, known));
  arguments.format = text;
  return {};
}

/// Standard output takes one file, whose format no name tells.
Result<void> checkPrinted(const ExportArguments& arguments) {
  if (arguments.help) return {};
  const bool isPrinted = std::ranges::count(arguments.outputs, "-") > 0;
  if (arguments.format && !isPrinted)
    return invalid("--format is for --out -: the end of a file's name says its format");
  if (isPrinted && !arguments.format)
    return invalid("--out - needs --format: {}", arguments.method == block_mask_method().id
                                                     ? "npz or safetensors"
                                                     : "csv, npy, json, png, svg or pdf");
  if (isPrinted && arguments.outputs.size() > 1) return invalid("--out - takes no other file beside it");
  return {};
}

Result<void> readColourMap(ExportArguments& arguments, const std::string& text) {
  const std::vector<std::string> known(colour_map_ids().begin(), colour_map_ids().end());
  arguments.colourMap = text;
  if (std::ranges::count(known, *arguments.colourMap) > 0) return {};
  return refusedOption("--colour-map", text, "one of " + join(known, ", ") + did_you_mean(*arguments.colourMap, known));
}

/// Those formats that need no mask.
Result<void> readTests(ExportArguments& arguments, const std::string& text) {
  const auto names = checkFormatNames().subspan(static_cast<std::size_t>(CheckFormat::sarif));
  const auto found = std::ranges::find(names, text);
  if (found == names.end()) return refusedOption("--tests", text, "one of " + join(names, ", "));
  arguments.tests = static_cast<CheckFormat>(static_cast<int>(CheckFormat::sarif) + (found - names.begin()));
  return {};
}

Result<void> readAdditive(ExportArguments& arguments, const std::string& text) {
  const auto names = float_type_names();
  const auto found = std::ranges::find(names, text);
  if (found == names.end() && text != "inf")
    return refusedOption("--additive", text, "one of " + join(names, ", ") + ", inf");
  const auto type = static_cast<FloatType>(found - names.begin());
  const double masked = text == "inf" ? -HUGE_VAL : most_negative(type);
  arguments.additive = {static_cast<float>(masked), text == "float16"};
  return {};
}

}  // namespace

OptionTable<ExportArguments> exportOptions() {
  auto table = methodOptions<ExportArguments>(
      {.set = "a parameter (vqscope list METHOD shows them); may be repeated",
       .array = "a parameter that is a list of integers, or NAME=FILE or NAME=FILE:NAME; for a free name of a mask's "
                "text the file "
                "may hold a table of integers or truth values; for a method with inputs, NAME=TENSOR, or qkv=FILE for "
                "q, k and v together",
       .mask =
           "visibility: a mask_mod in the mask language (.py); --set sets its free integers and --array its arrays, "
           "in preference to parameters of the same name (text.NAME names the text's, visibility.NAME the "
           "parameter); or cells (FILE:NAME of a NumPy, safetensors or torch file, .csv, .png; leave out :NAME if the "
           "file has one "
           "tensor); stderr says how the cells were read"});
  table.push_back(presetOption<ExportArguments>());
  addMinusOptions(table, "subtract the same matrix with this parameter instead; may be repeated",
                  "visibility: subtract this mask");
  table.push_back(
      rangeOption("--rows", &ExportArguments::rows, "the block of rows A to B - 1; A or B may be left out"));
  table.push_back(
      rangeOption("--cols", &ExportArguments::cols, "the block of columns A to B - 1; A or B may be left out"));
  table.push_back(
      {{"--keep", "DIR",
        "experiments: the folder that keeps this run (vqscope runs); if not given, run uses your folder of runs "
        "and export keeps nothing"},
       [](ExportArguments& a, const std::string& path) -> Result<void> {
         if (path.empty()) return refusedOption("--keep", path, "a folder");
         a.keep = path;
         return {};
       }});
  table.push_back(
      {{"--aggregate", "HOW",
        "statistic of the cells under a pixel: automatic (mean; largest for differences), mean, min, max or "
        "largest (the value furthest from 0)",
        false, join(aggregate_names(), " ")},
       readAggregate});
  table.push_back({{"--colour-map", "NAME", "viridis, cividis, magma, diverging or twilight", false,
                    join(std::vector<std::string>(colour_map_ids().begin(), colour_map_ids().end()), " ")},
                   readColourMap});
  table.push_back(flagOption("--square", &ExportArguments::square, "square cells in a figure of a matrix"));
  table.push_back(
      {{"--log", "AXES", "logarithmic axes in a figure of curves: none, x, y or xy", false, "none x y xy"}, readAxes});
  table.push_back(tokensOption<ExportArguments>(", on the axes of a figure"));
  for (const Option<FigureArguments>& each : figureOptions())
    table.push_back(
        {each, [action = each.action](ExportArguments& a, const std::string& value) { return action(a, value); }});
  table.push_back(flagOption("--flat", &ExportArguments::flat, ".npy of a matrix in one dimension, row by row"));
  table.push_back(flagOption("--float32", &ExportArguments::float32, ".npy of a matrix as float32, also of integers"));
  table.push_back({{"--additive", "TYPE",
                    "visibility: .npy of numbers to add to scores, 0 where visible, elsewhere the lowest number of "
                    "float32, float16 "
                    "or bfloat16 (stored as float32), or -inf (inf)"},
                   readAdditive});
  table.push_back(
      {{"--tests", "FORMAT", "mask_test: print its tests as sarif, junit or github, as check --format does"},
       readTests});
  table.push_back(flagOption("--force", &ExportArguments::force, "also write a file of more than 2 GiB"));
  table.push_back(
      outputOption<ExportArguments>(".csv .npy .json hold numbers, .png .svg .pdf a figure; either all files are "
                                    "written or none; - is standard output, "
                                    "in the format of --format"));
  table.push_back({{.name = "--format",
                    .value = "HOW",
                    .help = "csv, npy, json, png, svg or pdf of --out -; also npz or safetensors of block_mask",
                    .choices = printed_formats()},
                   readFormat});
  return table;
}

Result<ExportArguments> parseExportArguments(const char* command, const char* noun,
                                             const std::vector<std::string>& arguments) {
  const OptionAction<ExportArguments> readMethod = [=](ExportArguments& given,
                                                       const std::string& name) -> Result<void> {
    if (!given.method.empty())
      return invalid(std::string(command) + " expects one " + noun + ", " + shortened(given.method) + " and " +
                     shortened(name) + " were given");
    given.method = name;
    return {};
  };
  ExportArguments parsed;
  if (auto read = readArguments(parsed, arguments, exportOptions(), readMethod); !read) return read.error();
  if (auto checked = checkPrinted(parsed); !checked) return checked.error();
  if (auto named = nameExperiment(parsed); !named) return named.error();
  return parsed;
}

std::string presetChoices() {
  std::vector<std::string> ids;
  for (const auto& preset : experiment_presets()) ids.push_back(preset.id);
  return join(ids, " ");
}

Result<void> nameExperiment(MethodArguments& arguments) {
  if (!arguments.preset || !arguments.method.empty()) return {};
  const auto chosen = require_preset_choice(*arguments.preset);
  if (!chosen) return chosen.error();
  arguments.method = chosen->preset->experiment->id;
  return {};
}

Result<void> applyPreset(const std::optional<std::string>& name, const Method& method, ParameterValues& values) {
  if (!name) return {};
  const auto chosen = require_preset_choice(*name);
  if (!chosen) return chosen.error();
  const Method& experiment = *chosen->preset->experiment;
  if (&experiment != &method) return invalid("preset " + *name + " is for " + experiment.id + ", not for " + method.id);
  values = chosen->values();
  return {};
}

}  // namespace vqscope
