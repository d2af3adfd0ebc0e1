// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"
#include "core/session/session.h"
#include "widgets/dialog/action_search.h"

#include <functional>
#include <string>
#include <vector>

namespace vqscope {

/// What the search needs to set values that are typed into it.
struct TypedTargets {
  std::string page;                  ///< id of the page on top
  std::vector<ParameterSpec> specs;  ///< parameters that its form shows
  ParameterValues values;            ///< theirs, of the side that the form shows
  std::function<const ParameterValues&(const std::string& page)> valuesOf;
  /// Parameters of the page on top; at least one.
  std::function<void(const ParameterValues& values)> set;
  /// A method on its page, with some values.
  std::function<void(const std::string& method, const ParameterValues& values)> open;
};

/// Entries that are made of what is typed: "T 4096" and "q_length=4096" set a parameter of the page on
/// top, else of the first page that has one of that name; "rope 2M" opens a method at a length. A value
/// that is not allowed has an entry that says what is, and one that another value keeps from being used has
/// entries that set both.
std::vector<SearchEntry> typedEntries(const QString& typed, const TypedTargets& targets);

}  // namespace vqscope
