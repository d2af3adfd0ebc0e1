// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments/option_table.h"
#include "core/session/figure/figure_spec.h"

#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// How a figure is made, as far as options say so.
struct FigureArguments {
  std::optional<double> width;  ///< in points of 1/96 inch
  std::optional<double> height;
  std::optional<int> dpi;
  std::optional<std::string> font;
  std::optional<double> fontSize;
  std::optional<bool> dark;
  bool noTitle = false;
  bool noLegend = false;
  bool noAxes = false;
  bool noColourBar = false;
  FigureLabels labels;
  std::optional<std::string> figurePreset;  ///< of the session, applied before the others
  std::vector<std::string> panels;
  bool pins = false;  ///< the views that the session pins, in place of a METHOD
  std::optional<FigureGrid> grid;
};

OptionTable<FigureArguments> figureOptions();

void applyFigure(const FigureArguments& arguments, FigureSpec& spec);

/// The figure of the preset that the arguments name; the usual one if they name none. `session`: a
/// file.
Result<FigureSpec> presetFigure(const FigureArguments& arguments, const std::optional<std::string>& session);

/// The name of an option of figures that is given, or nothing.
std::optional<std::string> givenFigureOption(const FigureArguments& arguments);

}  // namespace vqscope
