// SPDX-License-Identifier: GPL-3.0-or-later
// The vocabulary of a tokenizer.json, to show the texts of token ids.
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"
#include "core/session/subject/token_texts.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

inline constexpr std::size_t most_tokenizer_bytes = std::size_t{32} << 20;
inline constexpr Index most_vocabulary = 1'000'000;

class Tokenizer {
 public:
  /// Reads the vocabulary of a BPE, Unigram, WordPiece or WordLevel model and the added tokens;
  /// merges and everything else are skipped. Texts are decoded: byte-level characters to bytes, "▁"
  /// to a space, "<0x0A>" to its byte. Errors name the place.
  static Result<Tokenizer> read(std::string_view json);
  /// The file, or tokenizer.json in a folder. Errors begin with the path.
  static Result<Tokenizer> open(const std::string& path);

  /// Number of ids, also of those without a text.
  Index size() const { return std::ssize(m_texts); }
  /// Bytes that are no UTF-8 by themselves, as in one half of a character, are "<0xE2>". An id that
  /// the vocabulary does not have is "[id]".
  std::string text(Index id) const;
  /// Texts of a sequence. Errors name a sequence that is too long.
  Result<TokenTexts> texts(std::span<const Index> ids) const;
  /// The first id that the vocabulary does not have; nothing: it has all.
  const Index* first_unknown(std::span<const Index> ids) const;

 private:
  bool has(Index id) const;

  std::vector<std::string> m_texts;  ///< by id
  std::vector<bool> m_known;         ///< by id
};

/// Whether a text can be a tokenizer.json: a JSON object.
bool looks_like_tokenizer(std::string_view text);

/// The tokenizer.json in the folder of a file; empty if there is none.
std::string tokenizer_beside(const std::string& file);

}  // namespace vqscope
