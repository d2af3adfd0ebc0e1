// SPDX-License-Identifier: GPL-3.0-or-later
// How a matrix or curves are shown, apart from their values.
#pragma once

#include "core/base/index.h"
#include "core/method/method.h"

#include <span>
#include <string>
#include <vector>

namespace vqscope {

/// Which number a pixel shows for the cells of its tile. largest is the one furthest from 0.
/// automatic is the mean, or largest if cells are differences, whose mean is near 0 in any case.
enum class Aggregate { automatic, mean, min, max, largest };

/// "automatic", "mean", "min", "max", "largest": in files, on the command line and in forms, in the
/// enum's order.
const std::vector<std::string>& aggregate_names();

/// Quantities of the method's cells that a pixel can show: labels have no mean or maximum.
std::vector<Aggregate> aggregates_of(const Method& method, bool difference);

/// The valid ids of `colour_map`, in the order of the menu.
std::span<const std::string> colour_map_ids();

enum class CompareMode { none, side_by_side, difference };

/// The part of the matrix in view, in cell coordinates: cell i covers [i, i + 1).
struct ViewRange {
  double row_first = 0;
  double row_last = 1;
  double col_first = 0;
  double col_last = 1;
  friend bool operator==(const ViewRange&, const ViewRange&) = default;
};

/// The view of these cells and no others.
ViewRange view_of(const Rect& cells);

/// Axes of a curve plot, as chosen by the user.
struct CurveAxes {
  bool log_x = false;
  bool log_y = false;
  friend bool operator==(const CurveAxes&, const CurveAxes&) = default;
};

/// Whether the ends of the view are finite, ascending, and not far beyond every matrix.
bool is_showable(const ViewRange& view);

}  // namespace vqscope
