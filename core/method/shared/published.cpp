// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/shared/published.h"

#include <cassert>

namespace vqscope {
namespace {

void divide(std::vector<double>& values, double by) {
  for (double& value : values) value /= by;
}

}  // namespace

Published alibi_table_2() {
  const std::vector<double> length{512, 1012, 2512, 5512, 12512};
  return {.source = "Press et al. 2022, Train Short, Test Long, table 2: WikiText-103, trained at 512 tokens",
          .y_title = "perplexity (published)",
          .trained_length = 512,
          .series = {{"sinusoidal (Press et al.)", length, {20.05, 43.54, 132.41, 240.44, 373.17}},
                     {"rotary (Press et al.)", length, {20.07, 21.37, 31.58, 43.14, 69.70}},
                     {"T5 bias (Press et al.)", length, {19.65, 18.79, 20.41, 29.54, 64.94}},
                     {"ALiBi (Press et al.)", length, {19.73, 18.73, 18.41, 18.36, 18.31}}}};
}

ParameterSpec overlay_parameter() {
  return make_parameter(
      "overlay", "Curve", "Published values, plotted as markers on a separate axis.",
      {.label = "Published",
       .default_value = std::string("none"),
       .choices = {{"none", "computed curves only"},
                   {"alibi_table_2", "perplexity by length of models trained at 512 tokens, Press et al. 2022"}}});
}

void apply_overlay(const ParameterValues& values, CurveSet& set) {
  if (values.choice("overlay") == "alibi_table_2") set.published = alibi_table_2();
}

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
