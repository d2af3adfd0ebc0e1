// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <string_view>
#include <vector>

namespace vqscope {

enum class SourceTokenKind {
  name,      ///< anything the text or the person who runs it gives a meaning
  variable,  ///< q_idx, document_id: known without being given
  function,  ///< abs, torch.where, and_masks
  keyword,
  number,
  string,
  symbol,
  comment,
  newline,  ///< also a semicolon; only outside brackets
  unknown,  ///< no token of the language
};

/// Bytes `range` of a text.
struct SourceToken {
  SourceTokenKind kind = SourceTokenKind::unknown;
  Range range;
  friend bool operator==(const SourceToken&, const SourceToken&) = default;
};

/// The tokens of any text, finished or not, in order, for a highlighter and for the parser; blanks and continued line
/// ends lie between them. A string that is not closed reaches to the end of its line or, of three quotes, of the text.
std::vector<SourceToken> tokens(std::string_view text);

}  // namespace vqscope
