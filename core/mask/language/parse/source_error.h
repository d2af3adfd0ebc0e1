// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <string>
#include <string_view>

namespace vqscope {

/// Something to say about a place in a text. Line and column count from 1, columns and length in characters (UTF-8
/// code points); what spans lines is as long as the rest of its first line.
struct SourceError {
  Index line = 1;
  Index column = 1;
  Index length = 1;
  std::string message;
  bool lacks_value = false;  ///< nothing is wrong with the text: a free name of it has to be given a value first
  friend bool operator==(const SourceError&, const SourceError&) = default;
};

/// About the bytes `range` of `text`.
SourceError source_error(std::string_view text, Range range, std::string message);

/// Message, source line and caret:
///     line 2, column 8: nothing closes this (
///     return (q_idx >= kv_idx
///            ^
std::string render(const SourceError& error, std::string_view text);

}  // namespace vqscope
