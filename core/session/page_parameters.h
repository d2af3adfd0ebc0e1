// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/session.h"

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace vqscope {

/// The parameters of a page for some of its values; those of each method are looked up once.
struct PageParameters {
  /// Each name once; the spec of the method shown and the curves beside it takes precedence.
  std::vector<ParameterSpec> specs;
  std::size_t shown = 0;  ///< number of specs of the method shown and the curves beside it
  /// The methods shown whose parameters depend on values, with all parameters of each.
  std::vector<std::pair<const Method*, std::vector<ParameterSpec>>> own;

  std::span<const ParameterSpec> of_shown() const { return std::span(specs).first(shown); }
};

/// Parameters can bring along further parameters at most this many times in a row.
inline constexpr int most_rounds = 8;

PageParameters page_parameters(const PageInfo& info, const ParameterValues& values, const std::string& shown);

/// page_parameters(), kept for the values that each page had last: an edit needs the same ones
/// several times, and looking up those of a text requires parsing it.
std::shared_ptr<const PageParameters> kept_parameters(const PageInfo& info, const ParameterValues& values,
                                                      const std::string& shown);

/// check_shown() with kept parameters of the page. Values are already known to be valid one by one.
Result<void> check_shown(const std::string& method, const PageParameters& page, const ParameterValues& values);

/// The parameters of both sides of a page's state.
struct PageSides {
  std::shared_ptr<const PageParameters> values, other;
};

PageSides page_sides(const ShownPage& state);

/// check_page() with known parameters.
Result<void> check_page(const ShownPage& state, const PageSides& sides);

}  // namespace vqscope
