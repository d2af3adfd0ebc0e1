// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"

#include <algorithm>

namespace vqscope {

/// Whether a choice_set has that id.
inline bool is_chosen(const ParameterValues& values, std::string_view set, std::string_view id) {
  return std::ranges::count(values.choices(set), id) > 0;
}

/// Refuses a choice_set of which nothing is chosen: there would be no curve.
inline Result<void> check_chosen(const ParameterValues& values, std::string_view set) {
  if (!values.choices(set).empty()) return {};
  return invalid(std::string(set) + " is empty, must name one at least");
}

}  // namespace vqscope
