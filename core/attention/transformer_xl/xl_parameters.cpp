// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/transformer_xl/xl_parameters.h"

#include <utility>

namespace vqscope {
namespace {

constexpr double longest = 2147483648.0;

ParameterSpec length_parameter_of_xl() {
  auto spec =
      xl_tokens_parameter("q_length", "", "Sequence", "Number of tokens T; each has one query and one key.", 8192, 1);
  spec.role = ParameterRole::shape;
  spec.short_label = "T";
  spec.in_summary = InSummary::always;
  return spec;
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

}  // namespace vqscope
