// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/subject/token_texts.h"

#include <string>

namespace vqscope {

/// Names of the two sides of a difference, such as the files that they were read from; empty: what differs.
struct FigureSides {
  std::string a;
  std::string b;
};

/// Size of a figure: `width` x `height` points of the page at 96 to the inch (CSS pixels), painted with `dpi` dots per
/// inch.
struct FigureOptions {
  int width = 800;
  int height = 640;
  int dpi = 192;
  FigureSides sides = {};
  TokenTexts tokens = {};  ///< on the axes of tokens
};
constexpr int least_figure_side = 240;  ///< below, titles, numbers and legend leave no space for the picture
constexpr int most_figure_side = 4096;
constexpr double figure_points_per_inch = 96;
constexpr int least_figure_dpi = 36;
constexpr int most_figure_dpi = 1200;

}  // namespace vqscope
