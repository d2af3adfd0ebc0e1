// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/code.h"
#include "core/mask/language/source_error.h"
#include "core/mask/language/syntax.h"

#include <optional>
#include <string_view>
#include <vector>

namespace vqscope::language {

/// Nodes of a program, and expressions looked at until every function is put in place.
inline constexpr std::size_t max_nodes = 20000;
inline constexpr Index max_steps = 200000;
inline constexpr int max_calls = 64;  ///< functions called from functions

struct Compiled {
  Code code;
  std::optional<SourceError> error;
  std::vector<SourceError> warnings;
};

/// Resolves names, puts functions in place and splits the mask into terms.
Compiled compile(std::string_view text, const Syntax& syntax);

}  // namespace vqscope::language
