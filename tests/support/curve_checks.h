// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/curve_set.h"
#include "core/method/method_list.h"
#include "tests/support/compare.h"

#include <QtGlobal>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace vqscope::test {

/// The defaults of a method of the list, with some values set.
inline ParameterValues curve_values(std::span<const Method> list, const char* id, const ParameterValues::Map& set) {
  return default_values(find_method(list, id)->parameters, set);
}

/// The curves of a method of the list with some of its values set.
inline Result<CurveSet> curves_of(std::span<const Method> list, const char* id, const ParameterValues::Map& set = {}) {
  return make_curves(*find_method(list, id), curve_values(list, id, set));
}

inline bool near(double got, double wanted, double allowed) {
  if (std::abs(got - wanted) <= allowed) return true;
  qWarning("got %.10g, expected %.10g", got, wanted);
  return false;
}

/// The fact of that name; NaN and a warning if there is none.
inline double fact_of(const CurveSet& set, std::string_view name) {
  for (const auto& [known, value] : set.facts)
    if (known == name) return value;
  qWarning("there is no such fact");
  return std::nan("");
}

/// The curve of that name, or one without values.
inline Curve curve_of(const CurveSet& set, std::string_view name) {
  for (const auto& curve : set.curves)
    if (curve.name == name) return curve;
  return {};
}

/// The partial sets reported while the curves were computed, and the complete one at the end.
inline std::vector<CurveSet> reported_sets(std::span<const Method> list, const char* id,
                                           const ParameterValues::Map& set = {}) {
  std::vector<CurveSet> sets;
  Work work;
  work.partial = [&](const CurveSet& partial) { sets.push_back(partial); };
  if (auto whole = make_curves(*find_method(list, id), curve_values(list, id, set), work))
    sets.push_back(std::move(*whole));
  return sets;
}

/// Whether the first set is a part of the second: the same x and curves, with missing values at the
/// ends, or NaN.
inline bool is_part_of(const CurveSet& part, const CurveSet& whole) {
  if (part.x != whole.x || part.x_name != whole.x_name || part.curves.size() != whole.curves.size()) return false;
  for (std::size_t c = 0; c < part.curves.size(); ++c) {
    const auto& y = part.curves[c].y;
    const auto& all = whole.curves[c].y;
    if (part.curves[c].name != whole.curves[c].name || y.size() > all.size()) return false;
    for (std::size_t i = 0; i < y.size(); ++i)
      if (!std::isnan(y[i]) && y[i] != all[i]) return false;
  }
  return true;
}

/// The number of values that are not missing.
inline std::size_t known_values(const CurveSet& set) {
  std::size_t known = 0;
  for (const auto& curve : set.curves)
    for (const double y : curve.y) known += std::isnan(y) ? 0 : 1;
  return known;
}

/// An error in partial sets, or empty. More than `wanted` sets must be reported, and each must be a
/// part of the next one, the last a part of the complete one.
inline std::string wrong_parts(const std::vector<CurveSet>& sets, std::size_t wanted) {
  if (sets.size() <= wanted) return std::to_string(sets.size()) + " sets were reported";
  for (std::size_t i = 0; i + 1 < sets.size(); ++i)
    if (!is_part_of(sets[i], sets[i + 1])) return "set " + std::to_string(i) + " is not a part of the next";
  if (known_values(sets.end()[-2]) == 0) return "the last set is empty";
  return known_values(sets.front()) < known_values(sets.back()) ? "" : "the first set is complete";
}

/// The first description that a set of curves lacks, or empty.
inline std::string incomplete(const CurveSet& set) {
  if (set.x_name.empty() || set.x_title.empty() || set.y_title.empty()) return "a title is missing";
  if (set.formula.find("not performance of a model") == std::string::npos) return "the formula claims too much";
  for (const auto& curve : set.curves)
    if (curve.y.size() != set.x.size()) return curve.name + " has another length than x";
  return set.curves.empty() ? "there is no curve" : "";
}

/// A stop requested before the first point ends the computation.
inline bool stops(std::span<const Method> list, const char* id, const ParameterValues::Map& set = {}) {
  std::stop_source source;
  source.request_stop();
  const auto result = make_curves(*find_method(list, id), curve_values(list, id, set), {{}, source.get_token()});
  return !result && result.error().code == Errc::cancelled;
}

inline std::vector<std::string> curve_names(const CurveSet& set) {
  std::vector<std::string> names;
  for (const auto& curve : set.curves) names.push_back(curve.name);
  return names;
}

}  // namespace vqscope::test
