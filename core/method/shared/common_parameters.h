// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters that many methods have, with one range each.
#pragma once

#include "core/method/parameter.h"

#include <algorithm>
#include <optional>

namespace vqscope {

/// `seed`: up to 2^53, which a JSON file keeps.
ParameterSpec seed_parameter(std::string group, std::string help, std::vector<Relevance> relevant = {});

/// `points`: of a curve, at most.
ParameterSpec points_parameter(std::string group, Index default_value, Index most);

/// `threads`: 0 for as many as the machine has.
ParameterSpec worker_threads_parameter(std::string group);

/// Whether a choice_set has that id.
inline bool is_chosen(const ParameterValues& values, std::string_view set, std::string_view id) {
  return std::ranges::count(values.choices(set), id) > 0;
}

/// Refuses a choice_set of which nothing is chosen: there would be no curve.
inline Result<void> check_chosen(const ParameterValues& values, std::string_view set) {
  if (!values.choices(set).empty()) return {};
  return invalid(std::string(set) + " is empty but must name one at least");
}

/// `future_keys`: whether pictures mute the keys after the query, which a causal decoder never
/// uses.
ParameterSpec future_keys_parameter();

/// FieldRecipe::decoder_past of a method with that parameter: its `past_len`, unless future keys
/// are shown.
std::optional<Index> decoder_past_from(const ParameterValues& values);

}  // namespace vqscope
