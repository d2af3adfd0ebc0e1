// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/code/plain_evaluator.h"
#include "core/mask/language/compile/program.h"

#include <string>
#include <utility>
#include <vector>

namespace vqscope::language {

/// Positions and documents of a query and a key, and the array elements that the terms read at this
/// cell. Documents are those of the sequence, else those of an array of the text with a usual name;
/// none where there is only one. `term_on`: by term; beyond its end all are on.
std::vector<std::pair<std::string, std::string>> cell_facts(const MaskProgram& program, const Environment& environment,
                                                            const std::vector<bool>& term_on, Index q, Index kv);

}  // namespace vqscope::language
