// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"
#include "core/relative/relative_function.h"

#include <span>
#include <string>
#include <vector>

namespace vqscope {

/// Adds what `specs` lack of `from`, and makes it relevant while the choice_set `set` has `id`.
/// What two ids bring is there once, and relevant for both.
void borrow_parameters(std::vector<ParameterSpec>& specs, std::span<const ParameterSpec> from, const std::string& set,
                       const std::string& id);

/// Values of another method under the names that both have: what it does, not the tokens it is
/// applied to.
ParameterValues borrowed_values(const Method& method, const ParameterValues& values);

/// Refuses what the method does, with its id before the sentence.
Result<void> check_borrowed(const Method& method, const ParameterValues& values);

/// Function of a method whose cells depend only on relative position.
Result<RelativeFunction> borrowed_function(const Method& method, const ParameterValues& values);

}  // namespace vqscope
