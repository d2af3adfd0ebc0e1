// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/registry.h"
#include "core/curve/curve_set.h"
#include "tests/support/compare.h"

#include <QtGlobal>

#include <cmath>

namespace vqscope::test {

inline ParameterValues curve_values(const char* id, const ParameterValues::Map& set) {
  ParameterValues values = default_values(find_method(id)->parameters);
  for (const auto& [name, value] : set) values.set(name, value);
  return values;
}

/// The curves of a registered method with some of its values set.
inline Result<CurveSet> curves_of(const char* id, const ParameterValues::Map& set = {}) {
  return make_curves(*find_method(id), curve_values(id, set));
}

inline bool near(double got, double wanted, double allowed) {
  if (std::abs(got - wanted) <= allowed) return true;
  qWarning("got %.10g, wanted %.10g", got, wanted);
  return false;
}

/// Of that name; NaN and a warning when there is none.
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

/// What every set of curves has to say about itself. What is missing, or nothing.
inline std::string incomplete(const CurveSet& set) {
  if (set.x_name.empty() || set.x_title.empty() || set.y_title.empty()) return "a title is missing";
  if (set.formula.find("not performance of a model") == std::string::npos) return "the formula claims too much";
  for (const auto& curve : set.curves)
    if (curve.y.size() != set.x.size()) return curve.name + " has another length than x";
  return set.curves.empty() ? "there is no curve" : "";
}

/// A stop that was asked for before the first point ends it.
inline bool stops(const char* id, const ParameterValues::Map& set = {}) {
  std::stop_source source;
  source.request_stop();
  const auto result = make_curves(*find_method(id), curve_values(id, set), {{}, source.get_token()});
  return !result && result.error().code == Errc::cancelled;
}

}  // namespace vqscope::test
