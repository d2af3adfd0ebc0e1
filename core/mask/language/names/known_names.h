// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope::language {

/// A variable's name that a free one most likely meant.
std::optional<std::string> near_variable(const std::string& name);

/// Functions that are called by their name alone.
const std::vector<std::string>& plain_functions();

/// Functions that are called as torch.name, those of the operators among them.
const std::vector<std::string>& torch_functions();

/// Functions that are called on a value, as value.name(...).
const std::vector<std::string>& methods();

/// Whether a method of this name is there for what it changes: x.append(y), x.fill_(y).
bool changes_object(std::string_view name);

/// What functions are taken from: torch, np, jnp, math; they mean the same from each.
bool is_module(std::string_view name);
bool is_numpy_module(std::string_view name);
bool is_torch_module(std::string_view name);

/// Whether a function of this name makes a block mask of a mask.
bool makes_block_mask(std::string_view name);

/// Whether a function has this name, called alone or from a module; torch's and NumPy's other names of them too.
bool is_function(std::string_view name);

/// Names that mean something without being given, for completion; functions with what they are taken from, in order.
const std::vector<std::string_view>& known_variables();
const std::vector<std::string_view>& known_functions();

}  // namespace vqscope::language
