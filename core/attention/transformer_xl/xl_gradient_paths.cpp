// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/attention/methods.h"
#include "core/attention/transformer_xl/xl_parameters.h"
#include "core/base/sentence.h"
#include "core/method/curve_set.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr Index most_segment_points = 200;
constexpr Index most_segments = Index{1} << 21;

CurveSet gradient_axes(const ParameterValues& values) {
  const bool all = values.choice("losses") == "all";
  return {
      .x_name = "segments",
      .x_title = "segments N / n",
      .y_title = all ? "pairs of layer and segment, all losses" : "pairs of layer and segment, last loss",
      .formula = "pairs of a layer (0: the input) and a segment that receive gradient from the loss of a segment, " +
                 std::string(all ? "summed over the losses of all segments" : "which is the last") +
                 "; square: (k + 1)², k = min(layers, earlier segments), a common estimate of the sum over both",
      .log_x = true,
      .log_y = true,
      .integer = true,
      .curves = {{"without stop-gradient", {}}, {"with stop-gradient", {}}, {"square", {}}}};
}

Result<CurveSet> make_gradient_paths(const ParameterValues& values, const Work& work) {
  const XlSegments segments = xl_segments(values);
  const XlGradient gradient = xl_gradient(segments);
  const bool all = values.choice("losses") == "all";
  CurveSet set = gradient_axes(values);
  const Index count = (segments.length + segments.segment_len - 1) / segments.segment_len;
  set.x = integer_axis(1, count, most_segment_points, true);
  set.exact = static_cast<Index>(set.x.size()) == count;
  double squares = 0;
  Index summed = 0;
  for (const double x : set.x) {
    if (work.stop.stop_requested()) return cancelled();
    const auto now = static_cast<Index>(x);
    for (; summed < now; ++summed) squares += gradient.square(summed);
    for (const bool stop : {false, true})
      set.curves[stop ? 1 : 0].y.push_back(all ? gradient.all_pairs(now, stop) : gradient.pairs(now - 1, stop));
    set.curves[2].y.push_back(all ? squares : gradient.square(now - 1));
  }
  const Index covered = gradient.memory_segments * gradient.layers + 1;
  if (covered <= count) set.marks = {{static_cast<double>(covered), "reach of the layers"}};
  set.facts = {{"without_over_with", set.curves[0].y.back() / set.curves[1].y.back()}};
  return set;
}

Result<void> check_gradient_paths(const ParameterValues& values) {
  const XlSegments segments = xl_segments(values);
  if (auto checked = segments.check(); !checked) return checked;
  const Index count = (segments.length + segments.segment_len - 1) / segments.segment_len;
  if (count <= most_segments) return {};
  return invalid("q_length {} has {} segments of {} but must have at most {}", segments.length, count,
                 segments.segment_len, most_segments);
}

}  // namespace

/// j layers below the loss, j hops of the memory lead to min(segment, j · memory) + 1 segments.
double XlGradient::pairs(Index segment, bool stop_gradient) const {
  const auto below = static_cast<double>(layers);
  if (stop_gradient || memory_segments == 0) return below + 1;
  const auto hop = static_cast<double>(memory_segments);
  const auto free =
      static_cast<double>(std::min(layers, segment / memory_segments));  // hops that do not reach segment 0
  return free + 1 + hop * free * (free + 1) / 2 + (below - free) * static_cast<double>(segment + 1);
}

double XlGradient::all_pairs(Index count, bool stop_gradient) const {
  const Index growing = stop_gradient ? 0 : std::min(count, memory_segments * layers);
  double sum = static_cast<double>(count - growing) * pairs(count - 1, stop_gradient);
  for (Index segment = 0; segment < growing; ++segment) sum += pairs(segment, stop_gradient);
  return sum;
}

double XlGradient::square(Index segment) const {
  const auto side = static_cast<double>(std::min(layers, segment) + 1);
  return side * side;
}

XlGradient xl_gradient(const XlSegments& segments) {
  return {.layers = segments.layers, .memory_segments = segments.memory_stride() / segments.segment_len};
}

Method xl_gradient_paths_method() {
  auto specs = xl_size_parameters();
  add_parameter(specs, "losses", "View", "Losses whose gradient is counted.",
                {.label = "Losses",
                 .default_value = std::string("all"),
                 .choices = {{"last", "the loss of the last segment"}, {"all", "the losses of all segments"}}});
  return {.id = "xl_gradient_paths",
          .title = "Transformer-XL: gradient paths",
          .help =
              "Hidden states that receive gradient, with and without stop-gradient. In Transformer-XL; counted, not "
              "measured.",
          .citation = {"Dai et al. 2019, Transformer-XL, section 3.2",
                       "kimiyoung/transformer-xl, pytorch/mem_transformer.py"},
          .parameters = std::move(specs),
          .check = check_gradient_paths,
          .recipe = CurveRecipe{.make = make_gradient_paths}};
}

}  // namespace vqscope
