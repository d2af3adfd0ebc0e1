// SPDX-License-Identifier: GPL-3.0-or-later
// The names that a mask's text leaves free, and those of parameters, in one list of values without ever meeting.
#pragma once

#include "core/method/parameter.h"

#include <span>
#include <string>
#include <string_view>

namespace vqscope {

/// The parameter that holds a text's free name: "text.window". No name of ours has a dot in it.
std::string free_name_key(std::string_view name);

/// The parameters with the sides of an array of that name, if it has several, and whether it holds
/// truth values.
std::string array_shape_key(std::string_view name);
std::string array_truth_key(std::string_view name);

/// The parameter that sets a name to None.
std::string none_key(std::string_view name);

/// The name as it stands in the text, or nothing for a parameter of ours.
std::string_view free_name_of(std::string_view key);

/// The parameter with the name `given`: the text's, else ours. Where both have the name,
/// `text.NAME` means the text's and `owner.NAME` ours. Null: none has the name.
const ParameterSpec* find_meant(std::span<const ParameterSpec> specs, std::string_view given, std::string_view owner);

/// The name by which find_meant() finds a parameter: its plain name if no other of `specs` has it.
std::string name_to_give(std::span<const ParameterSpec> specs, const ParameterSpec& spec, std::string_view owner);

}  // namespace vqscope
