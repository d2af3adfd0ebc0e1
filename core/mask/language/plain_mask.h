// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/program.h"
#include "core/mask/mask.h"

#include <memory>
#include <string>

namespace vqscope {

/// Maximum number of tokens for a plain_mask whose rows are not solved: going through them takes T²
/// steps.
inline constexpr Index most_unsolved_tokens = 4096;

/// A mask over `length` tokens from a text of the mask language that has no free names and is the
/// same for every sequence and head. Errors begin with `mask`.
Result<std::shared_ptr<const Mask>> plain_mask(const std::string& text, Index length);

/// The program of such a text, before it is bound. Refuses what can be refused without evaluating a
/// row.
Result<std::shared_ptr<const MaskProgram>> plain_program(const std::string& text);

}  // namespace vqscope
