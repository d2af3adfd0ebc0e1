// SPDX-License-Identifier: GPL-3.0-or-later
// The vocabulary of a tokenizer.json, vocab.json or vocab.txt, to show the texts of token ids.
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"
#include "core/session/subject/token_texts.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

struct ConfigValue;
struct TokenCode;

inline constexpr std::size_t most_tokenizer_bytes = std::size_t{64} << 20;
inline constexpr Index most_vocabulary = 1'000'000;

class Tokenizer {
 public:
  /// Reads the vocabulary of a BPE, Unigram, WordPiece or WordLevel model and the added tokens;
  /// merges and everything else are skipped. Texts are decoded: byte-level characters to bytes, "▁"
  /// to a space, "<0x0A>" to its byte. Errors name the place.
  static Result<Tokenizer> read(std::string_view json);
  /// A file's text; the names vocab.json and vocab.txt decide how it is read, and the added tokens
  /// beside such a file are read too. Errors begin with the path.
  static Result<Tokenizer> read_file(const std::string& file, std::string_view text);
  static Result<Tokenizer> open(const std::string& file);

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
  static Result<Tokenizer> read_ids(std::string_view json);
  static Result<Tokenizer> read_lines(std::string_view text);
  /// False where the id is none.
  bool add(std::optional<Index> id, std::string text);
  Result<void> add_ids(const ConfigValue& object, const TokenCode& code);
  void add_beside(const std::string& file);
  bool has(Index id) const;

  std::vector<std::string> m_texts;  ///< by id
  std::vector<bool> m_known;         ///< by id
};

/// Refuses a file that is empty or no text by what it is: an HTML page, a NumPy array.
Result<void> check_token_file(const std::string& file, std::string_view text);

/// Whether a text is a tokenizer by the name of its file, or because it is a JSON object.
bool looks_like_tokenizer(const std::string& file, std::string_view text);

/// The tokenizer.json, vocab.json or vocab.txt of a folder, or of the folder of a file; empty if there
/// is none.
std::string tokenizer_in(const std::string& folder);
std::string tokenizer_beside(const std::string& file);

}  // namespace vqscope
