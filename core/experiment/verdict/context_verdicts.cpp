// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/verdict/context_verdicts.h"

#include "core/base/sentence.h"
#include "core/method/verdict/verdict.h"
#include "core/method/verdict/verdict_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace vqscope {
namespace {

constexpr double near_optimum = 0.1;  // of the optimum

const Curve* curve_named(const CurveSet& curves, std::string_view name) {
  const auto found = std::ranges::find(curves.curves, name, &Curve::name);
  return found == curves.curves.end() ? nullptr : &*found;
}

/// "vq for copy (65 KiB)": of the systems near the optimum the one with the least memory.
std::string cheapest(const CurveSet& curves, const Curve& optimum, std::size_t task) {
  const Curve* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const Curve& curve : curves.curves) {
    const auto bytes = fact_of(curves, curve.name + "_bytes");
    if (!bytes || *bytes >= least || !(curve.y[task] <= optimum.y[task] + near_optimum)) continue;
    least = *bytes;
    best = &curve;
  }
  const std::string& name = curves.x_names[task];
  return best ? fmt::format("{} for {} ({})", best->name, name, byte_count(least)) : "none for " + name;
}

std::string by_task(const CurveSet& curves, const Curve& optimum) {
  std::vector<std::string> parts;
  for (std::size_t task = 0; task < optimum.y.size(); ++task)
    if (std::isfinite(optimum.y[task])) parts.push_back(cheapest(curves, optimum, task));
  if (parts.empty()) return {};
  return fmt::format("systems with the least memory within {} of the best possible error: {}", near_optimum,
                     listed(parts));
}

/// Systems with a point that no other one has both less cost and less error than: the last of each.
std::string front(const CurveSet& curves) {
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> last(curves.curves.size(), none);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < curves.x.size(); ++i)
    for (std::size_t curve = 0; curve < last.size(); ++curve)
      if (curves.curves[curve].y[i] < least) {
        least = curves.curves[curve].y[i];
        last[curve] = i;
      }
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < curves.x.size(); ++i)
    for (std::size_t curve = 0; curve < last.size(); ++curve) {
      if (last[curve] != i) continue;
      const std::string cost =
          curves.x_name == "bytes" ? byte_count(curves.x[i]) : verdict_number(curves.x[i]) + " operations";
      const Curve& system = curves.curves[curve];
      parts.push_back(fmt::format("{} ({} with {})", system.name, verdict_number(system.y[i]), cost));
    }
  if (parts.empty()) return {};
  return fmt::format("no system has less error for less {} than {}", curves.x_name == "bytes" ? "memory" : "work",
                     listed(parts));
}

}  // namespace

std::string context_verdict(const CurveSet& curves) {
  if (curves.names_at_points) return front(curves);
  const Curve* optimum = curve_named(curves, "optimum");
  return optimum && !curves.x_names.empty() ? by_task(curves, *optimum) : general_verdict(curves);
}

}  // namespace vqscope
