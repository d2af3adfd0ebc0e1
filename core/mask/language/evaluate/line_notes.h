// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/code/plain_evaluator.h"
#include "core/mask/language/compile/program.h"
#include "core/mask/text_notes.h"

namespace vqscope::language {

/// The values of the comparisons of each line at a cell, and of what the line assigns.
TextNotes line_notes(const MaskProgram& program, const Environment& environment, Index q, Index kv);

}  // namespace vqscope::language
