// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/transformer_xl/xl_parameters.h"

#include "core/attention/methods.h"
#include "core/base/sentence.h"
#include "core/method/curve_set.h"

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

constexpr double longest = 2147483648.0;

ParameterSpec length_parameter_of_xl() {
  auto spec =
      xl_tokens_parameter("q_length", "T", "Sequence", "Number of tokens T; each has one query and one key.", 8192, 1);
  spec.role = ParameterRole::shape;
  spec.short_label = "T";
  spec.in_summary = InSummary::always;
  return spec;
}

constexpr Index most_points = 200;
constexpr double bytes_of_number = 4;

/// Sizes of all layers and heads for one kind of attention.
struct Sizes {
  double layers = 1;
  double heads = 1;
  double head_dim = 1;
};

Sizes sizes_of(const ParameterValues& values) {
  return {static_cast<double>(values.integer("layers")), static_cast<double>(values.integer("num_heads")),
          static_cast<double>(values.integer("head_dim"))};
}

/// `scores` is the total for one head and layer, `at_once` of which are in memory, with hidden
/// states of `kept` tokens.
double cost_of(const std::string& quantity, const Sizes& sizes, double scores, double at_once, double kept) {
  if (quantity == "scores") return scores;
  if (quantity == "operations") return sizes.layers * sizes.heads * 4 * sizes.head_dim * scores;
  return bytes_of_number * (sizes.heads * at_once + sizes.layers * sizes.heads * sizes.head_dim * kept);
}

CurveSet cost_axes(const std::string& quantity) {
  return {.x_name = "tokens",
          .x_title = "tokens N",
          .y_title = quantity == "scores"       ? "scores of a head and layer"
                     : quantity == "operations" ? "floating-point operations"
                                                : "bytes",
          .formula =
              "full: N × N scores; transformer_xl: n × (n + memory) in each segment of n, masked ones too; "
              "operations: 4 head_dim per score, layers × heads times; memory: float32 scores of one layer, one "
              "segment at a time, and hidden states of all tokens or of one segment and its memory",
          .log_x = true,
          .log_y = true,
          .curves = {{"full", {}}, {"transformer_xl", {}}}};
}

Result<CurveSet> make_costs(const ParameterValues& values, const Work&) {
  const XlSegments segments = xl_segments(values);
  const Sizes sizes = sizes_of(values);
  const std::string& quantity = values.choice("quantity");
  CurveSet set = cost_axes(quantity);
  set.x = integer_axis(1, segments.length, most_points, true);
  set.exact = static_cast<Index>(set.x.size()) == segments.length;
  for (const double tokens : set.x) {
    set.curves[0].y.push_back(cost_of(quantity, sizes, tokens * tokens, tokens * tokens, tokens));
    const double own = std::min(tokens, static_cast<double>(segments.segment_len));
    const double memory = std::min(tokens - own, static_cast<double>(segments.memory_len));
    const double scores = xl_scores(segments, static_cast<Index>(tokens));
    set.curves[1].y.push_back(cost_of(quantity, sizes, scores, own * (own + memory), own + memory));
  }
  if (segments.segment_len < segments.length) set.marks = {{static_cast<double>(segments.segment_len), "segment"}};
  set.facts = {{"full_over_xl", set.curves[0].y.back() / set.curves[1].y.back()}};
  return set;
}

std::vector<ParameterSpec> cost_parameters() {
  std::vector<ParameterSpec> specs{
      make_parameter("quantity", "View", "Quantity to count.",
                     {.default_value = std::string("operations"),
                      .choices = {{"scores", "scores of one head and layer"},
                                  {"operations", "floating-point operations of attention in all layers and heads"},
                                  {"memory", "bytes of the scores of one layer and of hidden states of all layers"}}})};
  for (auto& size : xl_size_parameters()) specs.push_back(std::move(size));
  add_parameter(specs, "num_heads", "Layers", "Number of heads per layer.",
                {.default_value = Index{8}, .minimum = 1, .maximum = 1024});
  add_parameter(specs, "head_dim", "Layers", "Number of dimensions of a head.",
                {.default_value = Index{64}, .minimum = 1, .maximum = 4096});
  return specs;
}

}  // namespace

ParameterSpec xl_tokens_parameter(std::string name, std::string label, std::string group, std::string help,
                                  Index default_value, double minimum) {
  return make_parameter(std::move(name), std::move(group), std::move(help),
                        {.label = std::move(label),
                         .default_value = default_value,
                         .minimum = minimum,
                         .maximum = longest,
                         .logarithmic = minimum >= 0,
                         .unit = "tokens"});
}

std::vector<ParameterSpec> xl_size_parameters() {
  return {length_parameter_of_xl(),
          xl_tokens_parameter("segment_len", "", "Sequence", "Number of tokens in a segment.", 512, 1),
          xl_tokens_parameter(
              "memory_len", "", "Layers",
              "Number of hidden states of earlier segments that every layer keeps; the newest are kept.", 512, 0),
          make_parameter(
              "layers", "Layers", "Number of layers.",
              {.label = "Layers", .default_value = Index{12}, .minimum = 1, .maximum = 512, .logarithmic = true})};
}

XlSegments xl_segments(const ParameterValues& values) {
  XlSegments segments{.length = values.integer("q_length"),
                      .segment_len = values.integer("segment_len"),
                      .memory_len = values.integer("memory_len"),
                      .layers = values.integer("layers")};
  if (values.find("same_length")) segments.same_length = values.boolean("same_length");
  if (values.find("clamp_len")) segments.clamp_len = values.integer("clamp_len");
  return segments;
}

double xl_scores(const XlSegments& segments, Index tokens) {
  const Index whole = tokens / segments.segment_len, rest = tokens % segments.segment_len;
  const auto length = static_cast<double>(segments.segment_len), memory = static_cast<double>(segments.memory_len);
  // The first segments have fewer earlier tokens than the memory holds.
  const Index short_ones = std::min(whole, segments.memory_stride() / segments.segment_len);
  const auto few = static_cast<double>(short_ones);
  double behind = length * few * (few - 1) / 2 + memory * static_cast<double>(whole - short_ones);
  double scores = length * (length * static_cast<double>(whole) + behind);
  const auto last = static_cast<double>(rest);
  scores += last * (last + std::min(memory, length * static_cast<double>(whole)));
  return scores;
}

Method xl_costs_method() {
  return {.id = "xl_costs",
          .title = "Transformer-XL: cost",
          .help = "Scores, operations and memory of Transformer-XL and full attention. Counted, not measured.",
          .citation = {"Dai et al. 2019, Transformer-XL, section 3.2",
                       "kimiyoung/transformer-xl, pytorch/mem_transformer.py"},
          .parameters = cost_parameters(),
          .check = [](const ParameterValues& values) { return xl_segments(values).check(); },
          .recipe = CurveRecipe{.make = make_costs}};
}

}  // namespace vqscope
