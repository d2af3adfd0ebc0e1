// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope::language {

/// The variable that a free name most likely meant.
std::optional<std::string> near_variable(const std::string& name);

/// Functions that are called by their plain name.
const std::vector<std::string>& plain_functions();

/// Functions that are called as torch.name, including those of the operators.
const std::vector<std::string>& torch_functions();

/// Functions that are called on a value, as value.name(...).
const std::vector<std::string>& methods();

/// Whether a method of this name is called for its effect: x.append(y), x.fill_(y).
bool changes_object(std::string_view name);

/// Whether functions can be taken from this module: torch, np, jnp, math; they mean the same in
/// each.
bool is_module(std::string_view name);
bool is_numpy_module(std::string_view name);
bool is_torch_module(std::string_view name);

/// Whether a function of this name makes a block mask of a mask.
bool makes_block_mask(std::string_view name);

/// Whether a function has this name, called alone or from a module; includes aliases in torch and
/// NumPy.
bool is_function(std::string_view name);

/// Names with a predefined meaning, for completion, in order; functions with their module.
const std::vector<std::string_view>& known_variables();
const std::vector<std::string_view>& known_functions();

/// Usual names of an array with the document of each token, the likeliest first.
std::span<const std::string_view> document_array_names();

/// A typical value of an integer with this name in masks: a guess to show to the user, never to
/// compute with. Empty if the name gives no hint. `length` is the number of keys.
std::optional<Index> likely_value(std::string_view name, Index length);

}  // namespace vqscope::language
