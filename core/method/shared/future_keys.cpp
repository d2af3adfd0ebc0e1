// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/shared/future_keys.h"

namespace vqscope {

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
