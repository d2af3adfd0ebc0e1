// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/parse/source_error.h"
#include "core/mask/language/parse/syntax.h"

#include <optional>
#include <string_view>
#include <vector>

namespace vqscope::language {

/// Limits for the bytes of a text, for nested brackets and for the depth of a statement's tree,
/// which bounds the stack that recursions over it use.
inline constexpr std::size_t max_text = std::size_t{1} << 18;
inline constexpr int max_nesting = 200;
inline constexpr int max_depth = 1000;

struct Parsed {
  Syntax syntax;
  std::optional<SourceError> error;  ///< the first error; the tree is then of no use
  std::vector<SourceError> warnings;
};

Parsed parse(std::string_view text);

}  // namespace vqscope::language
