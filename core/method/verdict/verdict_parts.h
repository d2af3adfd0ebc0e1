// SPDX-License-Identifier: GPL-3.0-or-later
// What the sentences on results have in common.
#pragma once

#include "core/method/curve_set.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// A curve that is not the edge of a band.
struct VerdictLine {
  std::string name;
  const std::vector<double>* y = nullptr;
  const std::vector<double>* least = nullptr;  ///< the edges of its band; null: it has none
  const std::vector<double>* greatest = nullptr;

  /// no_value beyond the end of a curve that is not complete.
  double at(std::size_t i) const;
  /// " (0.13 to 0.16)", the band there; empty: there is none.
  std::string band_at(std::size_t i) const;
};

/// The lines with at least one number, the principal curve first.
std::vector<VerdictLine> verdict_lines(const CurveSet& curves);

/// Ends the name of the curve of a model that did not learn.
inline constexpr std::string_view failed_ending = " (did not learn)";

/// Removes the lines of models that did not learn; their ids.
std::vector<std::string> take_failed(std::vector<VerdictLine>& lines);

/// Three digits; whole numbers from 1,000 on are grouped.
std::string verdict_number(double value);

/// The text of an axis without its unit and the unit alone: "sequence length T (tokens)".
struct AxisTitle {
  std::string words;
  std::string unit;  ///< " tokens"; empty: none
};
AxisTitle axis_title(std::string_view title);

/// The index of the x at the set's first mark; nothing: no mark, or no point there.
std::optional<std::size_t> marked_index(const CurveSet& curves);

std::optional<double> fact_of(const CurveSet& curves, std::string_view name);

/// "; 3 seeds" or "; one seed"; empty: the curves do not say.
std::string seeds_text(const CurveSet& curves);

/// "8×", the last x in multiples of that at `base`.
std::string multiple_text(const CurveSet& curves, std::size_t base, std::size_t at);

}  // namespace vqscope
