// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/figure_command.h"

#include "core/base/text.h"
#include "core/session/command_arguments.h"

#include <cmath>

namespace vqscope {
namespace {

/// Half millimetres as such, else pixels; both read back as the same number.
std::string side_word(double points) {
  const double millimetres = std::round(figure_millimetres(points) * 2) / 2;
  return figure_points(millimetres) == points ? to_text(millimetres) + "mm" : to_text(points) + "px";
}

std::string option(const char* name, const std::string& value) {
  return value.empty() ? std::string() : std::string(" ") + name + " " + shell_word(value);
}

std::string panel_arguments(const FigurePanel& panel) {
  ShownPage look = panel.look;
  std::optional<Extent> extent;
  if (panel.made.field) extent = panel.made.field->extent();
  if (panel.cells) look.view = view_of(*panel.cells);
  return view_arguments(*panel.method, panel.values, look, extent) + option("--title", panel.labels.title) +
         option("--x-label", panel.labels.x) + option("--y-label", panel.labels.y);
}

std::string spec_arguments(const FigureSpec& spec, bool has_panels) {
  const FigureSpec usual;
  std::string words;
  const bool is_wide = spec.width != usual.width;
  if (is_wide) words += " --width " + side_word(spec.width);
  if (is_wide || spec.height != usual.height || has_panels) words += " --height " + side_word(spec.height);
  if (spec.rows > 0 && spec.cols > 0) words += " --grid " + std::to_string(spec.rows) + "x" + std::to_string(spec.cols);
  if (spec.dpi != usual.dpi) words += " --dpi " + std::to_string(spec.dpi);
  words += option("--font", spec.font);
  if (spec.font_size > 0) words += " --font-size " + to_text(spec.font_size);
  if (spec.dark) words += " --theme dark";
  if (!spec.title) words += " --no-title";
  if (!spec.legend) words += " --no-legend";
  if (!spec.axes) words += " --no-axes";
  if (!spec.colour_bar) words += " --no-colour-bar";
  return words;
}

}  // namespace

std::string figure_command(const ExportRequest& request, std::span<const std::string> paths) {
  const FigurePanel first = panel_of(request, {request.field, request.curves});
  std::string line = "vqscope export " + panel_arguments(first);
  for (const FigurePanel& panel : request.panels) line += " --panel " + shell_word(panel_arguments(panel));
  std::string tokens = token_arguments(*first.method, first.values, request.tokens);
  for (const FigurePanel& panel : request.panels)
    if (tokens.empty()) tokens = token_arguments(*panel.method, panel.values, request.tokens);
  line += tokens;
  line += spec_arguments(request.figure, !request.panels.empty()) + " --out";
  for (const auto& path : paths) line += " " + shell_word(path);
  return line;
}

}  // namespace vqscope
