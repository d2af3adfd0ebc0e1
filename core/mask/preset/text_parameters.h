// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/program.h"
#include "core/method/parameter.h"

#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

// The parameters that a mask's text adds to a form.

/// Parameter for an integer that the text leaves free; a comment behind its value is its help.
ParameterSpec free_integer_parameter(const language::IntegerUse& use, std::string_view text);

/// Parameter for a name whose value is a text or a fraction; choices are the texts that it is
/// compared with.
ParameterSpec word_parameter(const language::WordUse& use);

/// Whether a name that the text compares with None is None.
ParameterSpec none_parameter(std::string_view name);

/// Parameter for an array that the text indexes.
ParameterSpec array_parameter(const language::ArrayUse& use);

/// The same, with the sides of the array where it is given as a table, and whether it holds truth
/// values.
void add_array_parameters(const language::ArrayUse& use, const ParameterValues& values,
                          std::vector<ParameterSpec>& specs);

/// Which b or h of a batch is shown.
ParameterSpec plane_parameter(const char* name);

/// Names that can be switched off, terms first, each once.
std::vector<std::string> switch_names(const MaskProgram& program);

/// Which of them are; without choices there is nothing to leave out.
ParameterSpec terms_parameter(const MaskProgram& program);

/// Which of the text's masks is shown; without choices there is but one.
ParameterSpec mask_function_parameter(const MaskProgram& program);

}  // namespace vqscope
