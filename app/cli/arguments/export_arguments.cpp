// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments/export_arguments.h"

#include "core/base/text.h"
#include "widgets/export/figure.h"
#include "widgets/paint/colour_map.h"
#include "widgets/parts/file_name.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr double mmPerInch = 25.4;

/// `84mm`, `600px` or `600`, in points of 1/96 inch.
std::optional<double> figureSide(std::string_view text) {
  text = trimmed(text);
  const bool millimetres = text.ends_with("mm");
  if (millimetres || text.ends_with("px")) text.remove_suffix(2);
  const auto number = parse_real(text);
  return number && millimetres ? *number / mmPerInch * figurePointsPerInch : number;
}

std::string sideText(int points) {
  return to_text(Index{points}) + "px (" + to_text(points / figurePointsPerInch * mmPerInch, 4) + "mm)";
}

OptionAction<ExportArguments> figureSideAction(const char* option, std::optional<int> ExportArguments::*member) {
  return [=](ExportArguments& arguments, const QString& text) -> Result<void> {
    const double side = std::round(figureSide(bytesOf(text)).value_or(0));
    if (!(side >= minFigureSide && side <= maxFigureSide))
      return refusedOption(
          option, text,
          "a size such as 84mm or 600px, from " + sideText(minFigureSide) + " to " + sideText(maxFigureSide));
    arguments.*member = static_cast<int>(side);
    return {};
  };
}

Result<void> readDpi(ExportArguments& arguments, const QString& text) {
  const auto dpi = parse_index(bytesOf(text));
  if (!dpi || *dpi < minFigureDpi || *dpi > maxFigureDpi)
    return refusedOption("--dpi", text,
                         "an integer from " + to_text(Index{minFigureDpi}) + " to " + to_text(Index{maxFigureDpi}));
  arguments.dpi = static_cast<int>(*dpi);
  return {};
}

Result<void> readAggregate(ExportArguments& arguments, const QString& text) {
  const auto& names = aggregate_names();
  const auto found = std::ranges::find(names, bytesOf(text));
  if (found == names.end()) return refusedOption("--aggregate", text, "one of " + join(names, ", "));
  arguments.aggregate = static_cast<Aggregate>(found - names.begin());
  return {};
}

Result<void> readAxes(ExportArguments& arguments, const QString& text) {
  static const std::vector<std::pair<QString, CurveAxes>> all{
      {"none", {false, false}}, {"x", {true, false}}, {"y", {false, true}}, {"xy", {true, true}}};
  const auto found = std::ranges::find(all, text, &std::pair<QString, CurveAxes>::first);
  if (found == all.end()) return refusedOption("--log", text, "one of none, x, y, xy");
  arguments.axes = found->second;
  return {};
}

Result<void> readColourMap(ExportArguments& arguments, const QString& text) {
  std::vector<std::string> known;
  for (const auto& map : colourMaps()) known.push_back(map.id());
  arguments.colourMap = bytesOf(text);
  if (std::ranges::count(known, *arguments.colourMap) > 0) return {};
  return refusedOption("--colour-map", text, "one of " + join(known, ", ") + did_you_mean(*arguments.colourMap, known));
}

const OptionTable<ExportArguments>& options() {
  static const OptionTable<ExportArguments> all = [] {
    auto table = methodOptions<ExportArguments>();
    addMinusOptions(table);
    table["--rows"] = rangeOption("--rows", &ExportArguments::rows);
    table["--cols"] = rangeOption("--cols", &ExportArguments::cols);
    table["--width"] = {true, figureSideAction("--width", &ExportArguments::width)};
    table["--height"] = {true, figureSideAction("--height", &ExportArguments::height)};
    table["--log"] = {true, readAxes};
    table["--square"] = flagOption(&ExportArguments::square);
    table["--dpi"] = {true, readDpi};
    table["--aggregate"] = {true, readAggregate};
    table["--colour-map"] = {true, readColourMap};
    table["--out"] = outputOption<ExportArguments>();
    table["--force"] = flagOption(&ExportArguments::force);
    return table;
  }();
  return all;
}

Result<void> readMethod(ExportArguments& arguments, const QString& name) {
  if (!arguments.method.empty())
    return invalid("export expects one METHOD, " + shortened(arguments.method) + " and " + shownText(name) +
                   " were given");
  arguments.method = bytesOf(name);
  return {};
}

}  // namespace

Result<ExportArguments> parseExportArguments(const QStringList& arguments) {
  ExportArguments parsed;
  if (auto read = readArguments<ExportArguments>(parsed, arguments, options(), readMethod); !read) return read.error();
  if (parsed.help) return parsed;
  if (parsed.method.empty()) return invalid("export needs a METHOD (vqscope list shows all)");
  if (parsed.outputs.isEmpty()) return invalid("export needs --out FILE");
  return parsed;
}

}  // namespace vqscope
