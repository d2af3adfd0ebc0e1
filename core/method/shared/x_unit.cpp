// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/shared/x_unit.h"

#include <cassert>

namespace vqscope {
namespace {

void divide(std::vector<double>& values, double by) {
  for (double& value : values) value /= by;
}

}  // namespace

ParameterSpec x_unit_parameter() {
  return make_parameter("x_unit", "Curve", "Unit of the x axis.",
                        {.label = "x in",
                         .default_value = std::string("tokens"),
                         .choices = {{"tokens", "tokens"}, {"trained_lengths", "multiples of the training length"}}});
}

void apply_x_unit(const ParameterValues& values, Index trained, CurveSet& set) {
  if (values.choice("x_unit") == "tokens") return;
  assert(trained > 0);
  const auto by = static_cast<double>(trained);
  const std::string tokens = "(tokens)";
  divide(set.x, by);
  for (auto& mark : set.marks) mark.x /= by;
  for (auto& segment : set.segments) {
    segment.from /= by;
    segment.to /= by;
  }
  if (set.published)
    for (auto& series : set.published->series) divide(series.x, set.published->trained_length);
  set.real_x = true;
  set.x_name += "_in_trained_lengths";
  if (const auto at = set.x_title.find(tokens); at != std::string::npos)
    set.x_title.replace(at, tokens.size(), "(training lengths)");
}

}  // namespace vqscope
