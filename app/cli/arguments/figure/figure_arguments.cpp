// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments/figure/figure_arguments.h"

#include "core/base/sentence.h"
#include "core/io/bytes/path_text.h"
#include "core/session/session_json.h"

namespace vqscope {
namespace {

using FigureOption = Option<FigureArguments>;

FigureOption sideOption(const char* option, std::optional<double> FigureArguments::*member, const char* help) {
  const auto action = [=](FigureArguments& arguments, const std::string& text) -> Result<void> {
    const auto side = read_figure_side(option, text);
    if (!side) return side.error();
    arguments.*member = *side;
    return {};
  };
  return {{option, "SIZE", help}, action};
}

FigureOption labelOption(const char* option, std::string FigureLabels::*member, const char* help) {
  const auto action = [=](FigureArguments& arguments, const std::string& text) -> Result<void> {
    if (text.empty()) return refusedOption(option, text, "a text");
    if (text.size() > longest_figure_label)
      return invalid("{} has {} bytes but must have at most {}", option, text.size(), longest_figure_label);
    arguments.labels.*member = text;
    return {};
  };
  return {{option, "TEXT", help}, action};
}

Result<void> readDpi(FigureArguments& arguments, const std::string& text) {
  const auto dpi = parse_index(text);
  if (!dpi || *dpi < least_figure_dpi || *dpi > most_figure_dpi)
    return refusedOption(
        "--dpi", text,
        "an integer from " + to_text(Index{least_figure_dpi}) + " to " + to_text(Index{most_figure_dpi}));
  arguments.dpi = static_cast<int>(*dpi);
  return {};
}

Result<void> readFontSize(FigureArguments& arguments, const std::string& text) {
  const auto size = parse_real(text);
  if (!size || !(*size >= least_font_size && *size <= most_font_size))
    return refusedOption("--font-size", text,
                         "a number of points from " + to_text(least_font_size) + " to " + to_text(most_font_size));
  arguments.fontSize = *size;
  return {};
}

Result<void> readFont(FigureArguments& arguments, const std::string& text) {
  if (text.empty()) return refusedOption("--font", text, "the name of a font");
  arguments.font = text;
  return {};
}

Result<void> readTheme(FigureArguments& arguments, const std::string& text) {
  if (text != "light" && text != "dark") return refusedOption("--theme", text, "light or dark");
  arguments.dark = text == "dark";
  return {};
}

/// "2x2".
Result<void> readGrid(FigureArguments& arguments, const std::string& text) {
  const auto sides = split(text, 'x');
  const auto rows = parse_index(sides.front());
  const auto cols = parse_index(sides.back());
  const auto fits = [](const std::optional<Index>& side) { return side && *side >= 1 && *side <= most_grid_side; };
  if (sides.size() != 2 || !fits(rows) || !fits(cols))
    return refusedOption("--grid", text, fmt::format("ROWSxCOLUMNS, such as 2x2, of at most {0}x{0}", most_grid_side));
  arguments.grid = FigureGrid{static_cast<int>(*rows), static_cast<int>(*cols)};
  return {};
}

}  // namespace

OptionTable<FigureArguments> figureOptions() {
  return {
      {{"--panel", "TEXT",
        "a further view in the same figure: \"NAME=VALUE...\" with other values, \"METHOD NAME=VALUE...\", or with "
        "options of a view, \"--minus NAME=VALUE\"; may be repeated"},
       [](FigureArguments& a, const std::string& text) -> Result<void> {
         a.panels.push_back(text);
         return {};
       }},
      flagOption("--pins", &FigureArguments::pins,
                 "the pinned views of --session as panels, in place of METHOD; the session may be a figure's file"),
      {{"--figure", "NAME", "size, font and parts of this figure preset of --session"},
       taking<FigureArguments>(&FigureArguments::figurePreset)},
      {{"--grid", "ROWSxCOLS", "arrangement of the panels, such as 2x2"}, readGrid},
      sideOption("--width", &FigureArguments::width,
                 "width of a figure, such as 84mm or 600px (96 px per inch), one-column (84mm) or two-columns (174mm); "
                 "800px if not given"),
      sideOption("--height", &FigureArguments::height, "height of a figure; if not given, it follows the width"),
      {{"--dpi", "N", "dots per inch of a figure, 36 to 1200"}, readDpi},
      {{"--font", "NAME", "font of a figure, which must be installed; DejaVu Sans if not given"}, readFont},
      {{"--font-size", "POINTS",
        "size of the axis titles of a figure in points, to which all else is scaled; if not given 9, less in figures "
        "below 63 mm"},
       readFontSize},
      {{"--theme", "NAME", "light or dark figures; light if not given", false, "light dark"}, readTheme},
      labelOption("--title", &FigureLabels::title, "title of a figure in place of its own"),
      labelOption("--x-label", &FigureLabels::x, "title of the horizontal axis in place of its own"),
      labelOption("--y-label", &FigureLabels::y, "title of the vertical axis in place of its own"),
      flagOption("--no-title", &FigureArguments::noTitle, "a figure without its title"),
      flagOption("--no-legend", &FigureArguments::noLegend, "a figure without the names of curves and colours"),
      flagOption("--no-axes", &FigureArguments::noAxes, "a figure without axes, ticks and their titles"),
      flagOption("--no-colour-bar", &FigureArguments::noColourBar, "a figure without its colour bar and its numbers"),
  };
}

void applyFigure(const FigureArguments& arguments, FigureSpec& spec) {
  if (arguments.width) spec.width = *arguments.width;
  if (arguments.height) spec.height = *arguments.height;
  if (arguments.dpi) spec.dpi = *arguments.dpi;
  if (arguments.font) spec.font = *arguments.font;
  if (arguments.fontSize) spec.font_size = *arguments.fontSize;
  if (arguments.grid) spec.rows = arguments.grid->rows, spec.cols = arguments.grid->cols;
  if (arguments.dark) spec.dark = *arguments.dark;
  if (arguments.noTitle) spec.title = false;
  if (arguments.noLegend) spec.legend = false;
  if (arguments.noAxes) spec.axes = false;
  if (arguments.noColourBar) spec.colour_bar = false;
}

Result<FigureSpec> presetFigure(const FigureArguments& arguments, const std::optional<std::string>& session) {
  if (!arguments.figurePreset) return FigureSpec();
  if (!session) return invalid("--figure NAME needs --session FILE, which has the preset");
  const auto opened = read_session(*session);
  if (!opened) return opened.error();
  std::vector<std::string> names;
  for (const FigurePreset& preset : opened->session.figures) {
    if (preset.name == *arguments.figurePreset) return preset.spec;
    names.push_back(preset.name);
  }
  if (names.empty()) return invalid("{} has no figure presets", shown_path(*session));
  return invalid("--figure is {} but must be one of {} of {}{}", shortened(*arguments.figurePreset), join(names, ", "),
                 shown_path(*session), did_you_mean(*arguments.figurePreset, names));
}

std::optional<std::string> givenFigureOption(const FigureArguments& arguments) {
  const std::pair<const char*, bool> all[]{{"--figure", arguments.figurePreset.has_value()},
                                           {"--panel", !arguments.panels.empty()},
                                           {"--pins", arguments.pins},
                                           {"--grid", arguments.grid.has_value()},
                                           {"--width", arguments.width.has_value()},
                                           {"--height", arguments.height.has_value()},
                                           {"--dpi", arguments.dpi.has_value()},
                                           {"--font", arguments.font.has_value()},
                                           {"--font-size", arguments.fontSize.has_value()},
                                           {"--theme", arguments.dark.has_value()},
                                           {"--title", !arguments.labels.title.empty()},
                                           {"--x-label", !arguments.labels.x.empty()},
                                           {"--y-label", !arguments.labels.y.empty()},
                                           {"--no-title", arguments.noTitle},
                                           {"--no-legend", arguments.noLegend},
                                           {"--no-axes", arguments.noAxes},
                                           {"--no-colour-bar", arguments.noColourBar}};
  for (const auto& [option, isGiven] : all)
    if (isGiven) return option;
  return std::nullopt;
}

}  // namespace vqscope
