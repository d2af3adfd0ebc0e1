// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/code.h"
#include "core/mask/language/source_error.h"
#include "core/mask/language/syntax.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope::language {

/// Nodes of a program, and expressions looked at until every function is put in place.
inline constexpr std::size_t max_nodes = 20000;
inline constexpr Index max_steps = 200000;
inline constexpr int max_calls = 64;  ///< functions called from functions

/// What stands for no value where a text gives an integer no default.
inline constexpr Index not_given = -1;

/// What is known of a text besides itself: it decides the ifs of the text, and what is None.
struct Given {
  std::map<std::string, Index> integers;
  std::set<std::string> arrays;
  std::string mask;  ///< which of the text's functions is the mask; empty: the one that a reader would take
};

struct Compiled {
  Code code;
  std::optional<SourceError> error;
  std::vector<SourceError> warnings;
};

/// Resolves names, puts functions in place and splits the mask into terms.
/// What begins at or behind byte `library` of the text is no mask by itself: the text may use it.
Compiled compile(std::string_view text, const Syntax& syntax, const Given& given, Index library);

}  // namespace vqscope::language
