// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <string>
#include <string_view>

namespace vqscope {

/// A message about a place in a text. Line and column count from 1; columns and length are in
/// characters (UTF-8 code points). The length of a range of several lines ends with its first line.
struct SourceError {
  Index line = 1;
  Index column = 1;
  Index length = 1;
  std::string message;
  bool lacks_value = false;  ///< the text is valid, but a free name needs a value first
  friend bool operator==(const SourceError&, const SourceError&) = default;
};

/// A message about the bytes `range` of `text`.
SourceError source_error(std::string_view text, Range range, std::string message);

/// Message, source line and caret:
///     line 2, column 8: nothing closes this (
///     return (q_idx >= kv_idx
///            ^
std::string render(const SourceError& error, std::string_view text);

/// Column of byte `at` of the text on its line, from 0; a tab extends to the next multiple of 8.
Index column_of(std::string_view text, Index at);

/// The column of the first non-blank character on the line of byte `at`.
Index indentation_of(std::string_view text, Index at);

}  // namespace vqscope
