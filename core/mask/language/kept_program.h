// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/mask/language/compile/program.h"

#include <string_view>

namespace vqscope {

/// The program of a text, parsed and compiled only when the text or the given values that decide it
/// change. The last few programs are cached, because a form, its highlights, the checks and the
/// mask itself all need the program of the same text. Thread-safe.
MaskParse kept_program(std::string_view text, const language::Given& given = {});

/// Number of texts that kept_program() has parsed and compiled so far.
Index programs_compiled();

}  // namespace vqscope
