// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace vqscope {

/// A y that leaves a gap: not measured, or not defined.
inline constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

/// One line: y over the set's x, or no_value.
struct Curve {
  std::string name;  ///< legend and CSV column
  std::vector<double> y;
};

/// Two curves whose room between them is one thing, such as the least and the greatest over seeds:
/// drawn as a band in the colour of the curve that it belongs to. Indices into CurveSet::curves.
struct CurveBand {
  std::size_t of = 0;
  std::size_t least = 0;
  std::size_t greatest = 0;
  friend bool operator==(const CurveBand&, const CurveBand&) = default;
};

/// A vertical line with a label: trained length, max_exact, clamp.
struct CurveMark {
  double x = 0;
  std::string label;
};

/// A horizontal line with a label: what random tokens score, a limit.
struct CurveLevel {
  double y = 0;
  std::string label;
};

/// A part of the x axis with a name: exact, logarithmic.
struct CurveSegment {
  double from = 0;
  double to = 0;
  std::string label;
};

/// Values that a paper reports, none of them computed here: they have an axis of their own and are
/// drawn as markers.
struct Published {
  struct Series {
    std::string name;
    std::vector<double> x;
    std::vector<double> y;
  };
  std::string source;  ///< authors, year, table, and what was measured
  std::string y_title;
  double trained_length = 0;  ///< of the models measured, in tokens
  std::vector<Series> series;
};

/// Curves over one x, with all that a plot or a file shows of them.
struct CurveSet {
  std::string x_name;   ///< CSV column: "relative_distance"
  std::string x_title;  ///< axis: "relative distance r (tokens)"
  std::string y_title;
  std::string formula;  ///< as plain text, for the tooltip
  bool real_x = false;  ///< x are not whole numbers
  bool log_x = false;
  bool log_y = false;
  bool steps = false;    ///< y holds from its x up to the next one
  bool integer = false;  ///< y are whole numbers
  bool labels = false;   ///< y are labels, which have no values between them: points, not joined
  std::vector<double> x;
  std::vector<Curve> curves;
  std::vector<CurveBand> bands;
  std::vector<CurveMark> marks;
  std::vector<CurveLevel> levels;
  std::vector<CurveSegment> segments;
  std::optional<Published> published;
  /// Names of y values, on the axis in the place of numbers: "partial" for the label 1.
  std::vector<std::pair<double, std::string>> y_names;
  /// Names of all x, which are 0, 1, 2, ...: of categories such as tasks. On the axis and in the
  /// first column of a CSV in the place of numbers. Empty: x are numbers.
  std::vector<std::string> x_names;
  /// Each curve has x of its own, and elsewhere no value: its points are joined, and its name stands
  /// beside one of them.
  bool names_at_points = false;
  /// Set when one curve is the method's value and the others accompany it: NPY and JSON `values`
  /// are then that curve.
  std::optional<std::size_t> principal;
  /// Single numbers of the result: attention_factor, first_negative. NaN means: there is none.
  std::vector<std::pair<std::string, double>> facts;
  bool exact = true;  ///< false: x is a selection of the integers in its range

  /// Whether y are bytes, by the title.
  bool is_bytes() const { return y_title.starts_with("bytes"); }
  /// Whether a curve is an edge of a band, and no line of its own.
  bool is_edge(std::size_t curve) const;
};

/// Every integer of [first, last] when there are at most `points`, else that many of them, evenly
/// or (with `logarithmic`) log-spaced, ends included. Ascending, without repetition.
std::vector<double> integer_axis(Index first, Index last, Index points, bool logarithmic);

/// Every integer of [first, last] when there are at most `points`, else that many of them, half of
/// them even and half log-spaced from max(first, 1) on, so that the curve can be read on a linear
/// and on a logarithmic axis.
std::vector<double> mixed_axis(Index first, Index last, Index points);

/// For each curve an earlier one that has the same values as far as a plot can show; nothing: there
/// is none.
std::vector<std::optional<std::size_t>> coincident_curves(const CurveSet& set);

}  // namespace vqscope
