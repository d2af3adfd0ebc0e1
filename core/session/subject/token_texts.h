// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of a sequence's tokens, shown beside their numbers.
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"
#include "core/method/method.h"

#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// By position in the sequence, the first token of the cache at 0. Fewer than the sequence has are
/// those of its start.
using TokenTexts = std::vector<std::string>;

inline constexpr std::size_t most_token_texts = 16384;
inline constexpr std::size_t most_token_bytes = 1 << 20;  ///< of all texts together

/// Reads pasted texts: a JSON list of strings, as a tokenizer's convert_ids_to_tokens prints it (in
/// single quotes too), else one text a line if there are lines, else the words between spaces.
/// Errors name the place.
Result<TokenTexts> parse_token_texts(std::string_view text);

/// A JSON list on one line.
std::string token_list(const TokenTexts& texts);

/// A text that parse_token_texts reads as the same: one a line where that is possible, else a JSON
/// list.
std::string token_texts_text(const TokenTexts& texts);

Result<void> check_token_texts(const TokenTexts& texts);

/// A byte without a character: "<0xE2>".
std::string byte_sign(unsigned char byte);

/// A token in one line, for a label: "the", "␣the", "⏎", "<0x0D>", "<U+200B>"; cut behind `most`
/// characters. Empty: no text is known.
std::string shown_token(const TokenTexts& texts, Index position, std::size_t most = 16);

/// Which tokens the rows and columns of a matrix are.
struct TokenAxes {
  bool rows = false;      ///< queries: row r is token first_query + r
  bool cols = false;      ///< keys: column k is token k
  Index first_query = 0;  ///< tokens in the cache
};

TokenAxes token_axes(const Method& method, const ParameterValues& values);

}  // namespace vqscope
