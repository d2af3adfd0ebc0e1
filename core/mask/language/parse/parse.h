// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/parse/source_error.h"
#include "core/mask/language/parse/syntax.h"

#include <optional>
#include <string_view>
#include <vector>

namespace vqscope::language {

/// Bytes of a text, brackets in brackets, and how deep the tree of one statement may grow: what the recursions over
/// it may cost of the stack.
inline constexpr std::size_t max_text = std::size_t{1} << 18;
inline constexpr int max_nesting = 200;
inline constexpr int max_depth = 1000;

struct Parsed {
  Syntax syntax;
  std::optional<SourceError> error;  ///< the first; the tree is of no use then
  std::vector<SourceError> warnings;
};

Parsed parse(std::string_view text);

}  // namespace vqscope::language
