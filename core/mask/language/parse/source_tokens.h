// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <string_view>
#include <vector>

namespace vqscope {

enum class SourceTokenKind {
  name,      ///< anything that the text or the user defines
  variable,  ///< q_idx, document_id: predefined
  function,  ///< abs, torch.where, and_masks
  keyword,
  number,
  string,
  symbol,
  comment,
  newline,  ///< also a semicolon; only outside brackets
  unknown,  ///< not a token of the language
};

/// Bytes `range` of a text.
struct SourceToken {
  SourceTokenKind kind = SourceTokenKind::unknown;
  Range range;
  friend bool operator==(const SourceToken&, const SourceToken&) = default;
};

/// The tokens of any text, complete or not, in order, for a highlighter and for the parser; blanks
/// and continued line ends are between them. An unclosed string extends to the end of its line or,
/// with three quotes, of the text.
std::vector<SourceToken> tokens(std::string_view text);

}  // namespace vqscope
