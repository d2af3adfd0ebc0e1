// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/code/plain_evaluator.h"
#include "core/mask/language/compile/program.h"

#include <string>

namespace vqscope::language {

/// Why a node that was evaluated at a cell is not `wanted`, with the numbers: "q_idx - kv_idx =
/// 700, expected < 512".
std::string explain(const MaskProgram& program, const PlainEvaluator& evaluated, NodeId node, bool wanted);

/// A piece of the text on one line.
std::string on_one_line(std::string_view text, Range range);

}  // namespace vqscope::language
