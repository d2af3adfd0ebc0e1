// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/shared/common_parameters.h"

namespace vqscope {

ParameterSpec seed_parameter(std::string group, std::string help, std::vector<Relevance> relevant) {
  return make_parameter("seed", std::move(group), std::move(help),
                        {.maximum = 0x1p53, .relevant = std::move(relevant)});
}

ParameterSpec points_parameter(std::string group, Index default_value, Index most) {
  return make_parameter(
      "points", std::move(group), "Maximum number of points on the curve.",
      {.default_value = default_value, .minimum = 2, .maximum = static_cast<double>(most), .logarithmic = true});
}

ParameterSpec worker_threads_parameter(std::string group) {
  return make_parameter("threads", std::move(group), "Number of threads. Does not change the result.",
                        {.maximum = 1024, .automatic = "as many as the machine can run at once"});
}

ParameterSpec future_keys_parameter() {
  return make_parameter(
      "future_keys", "Picture", "Keys after the query in pictures. Numbers do not depend on it.",
      {.label = "Future keys",
       .role = ParameterRole::picture,
       .default_value = std::string("muted"),
       .choices = {{"muted", "grey: a causal decoder never uses them; the colours span the range of the other keys"},
                   {"shown", "in colour: for an encoder, or to see the whole formula"}},
       .in_summary = InSummary::never});
}

std::optional<Index> decoder_past_from(const ParameterValues& values) {
  const auto* keys = values.find("future_keys");
  if (!keys || values.choice("future_keys") == "shown") return std::nullopt;
  if (const auto* bidirectional = values.find("bidirectional"); bidirectional && values.boolean("bidirectional"))
    return std::nullopt;
  const auto* past = values.find("past_len");
  return past ? values.integer("past_len") : 0;
}

}  // namespace vqscope
