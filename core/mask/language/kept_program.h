// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/mask/language/compile/program.h"

#include <string_view>

namespace vqscope {

/// The program of a text, parsed and compiled once for as long as the text and the given values that decide it stay the
/// same. The last few are kept for the whole program: a form, its highlights, the checks and the mask itself all ask
/// for the program of one text. Thread-safe.
MaskParse kept_program(std::string_view text, const language::Given& given = {});

/// How many texts kept_program() has parsed and compiled so far.
Index programs_compiled();

}  // namespace vqscope
