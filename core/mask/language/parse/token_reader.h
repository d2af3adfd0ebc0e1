// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/parse/parse.h"
#include "core/mask/language/parse/source_tokens.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope::language {

/// The tokens of a text one after the other, and the tree, error and warnings that are made of them so far. What reads
/// an expression gives no_expression after an error.
class TokenReader {
 public:
  explicit TokenReader(std::string_view text);

  Syntax& syntax() { return parsed.syntax; }
  const Expression& at(ExpressionId id) const { return parsed.syntax.at(id); }

  /// The next token, or one after it; behind the last one stands a newline.
  const SourceToken& token(std::size_t ahead = 0) const { return tokens[std::min(next + ahead, tokens.size() - 1)]; }
  std::string_view word(std::size_t ahead = 0) const { return slice(token(ahead).range); }
  std::string_view slice(Range range) const {
    return text.substr(static_cast<std::size_t>(range.begin), static_cast<std::size_t>(range.size()));
  }
  Range here() const { return token().range; }
  bool at_end() const { return next + 1 >= tokens.size(); }
  bool at_newline() const { return token().kind == SourceTokenKind::newline; }
  bool failed() const { return parsed.error.has_value(); }

  bool is_word(std::string_view wanted, std::size_t ahead = 0) const;
  bool is_name(std::size_t ahead = 0) const;

  /// Steps over the next token if it is `wanted`.
  bool accept(std::string_view wanted);

  /// The first error stays; nothing is left to read, so every loop ends.
  ExpressionId fail(Range range, std::string message);

  /// The next token, for a message.
  std::string found() const;

  /// Steps over `wanted`, or fails: "expected `wanted` `where`, found ...".
  bool expect(std::string_view wanted, std::string_view where);

  /// Steps over the bracket that closes the one at `opened`, or fails.
  void close(std::string_view bracket, Range opened);

  void skip_newlines();

  /// One block or bracket deeper; fails when that is too deep. leave() goes back.
  void enter();
  void leave() { --m_nesting; }

  /// Keeps an expression whose operands are kept already, unless too many hang on one another.
  ExpressionId add(Expression expression);

  const std::string_view text;
  std::vector<SourceToken> tokens;
  std::size_t next = 0;  ///< into tokens
  Parsed parsed;
  bool in_for = false;  ///< `in` ends the names of a for

 private:
  int m_nesting = 0;
};

}  // namespace vqscope::language
