// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/curve_set.h"
#include "core/run/sweep.h"

namespace vqscope::test {

/// `line`: y = slope · x + seed for x = 0, 1, 2; the fact `at_one`; `bend` is looked at where kind
/// is bent.
inline const Method& line_method() {
  static const Method method{
      .id = "line",
      .parameters =
          {{.name = "slope", .kind = ParameterKind::real, .default_value = 1.0, .minimum = 0, .maximum = 1000},
           {.name = "seed", .default_value = Index{0}, .minimum = 0, .maximum = 1000},
           {.name = "kind",
            .kind = ParameterKind::choice,
            .default_value = std::string("straight"),
            .choices = {{"straight", ""}, {"bent", ""}}},
           {.name = "bend",
            .default_value = Index{1},
            .minimum = 1,
            .maximum = 9,
            .relevant = {{.name = "kind", .values = {"bent"}}}},
           {.name = "sizes",
            .kind = ParameterKind::integer_list,
            .default_value = std::vector<Index>{},
            .maximum = 99}},
      .recipe = CurveRecipe{.make = [](const ParameterValues& values, const Work& work) -> Result<CurveSet> {
        if (work.stop.stop_requested()) return cancelled();
        const double slope = values.real("slope"), seed = static_cast<double>(values.integer("seed"));
        CurveSet set{.x_name = "length", .x = {0, 1, 2}, .curves = {{"y", {seed, slope + seed, 2 * slope + seed}}}};
        set.facts = {{"at_one", slope + seed}};
        return set;
      }}};
  return method;
}

/// Of `line`, with slope 1, 2 and seeds 0 to 2.
inline Sweep line_sweep() {
  return {.method = &line_method(),
          .fixed = default_values(line_method().parameters),
          .varied = {{"slope", {1.0, 2.0}}, {"seed", {Index{0}, Index{1}, Index{2}}}}};
}

}  // namespace vqscope::test
