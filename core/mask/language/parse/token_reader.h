// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/parse/parse.h"
#include "core/mask/language/parse/source_tokens.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope::language {

/// Reads the tokens of a text in order and holds the tree, error and warnings so far. Functions
/// that parse an expression return no_expression after an error.
class TokenReader {
 public:
  explicit TokenReader(std::string_view text);

  Syntax& syntax() { return parsed.syntax; }
  const Expression& at(ExpressionId id) const { return parsed.syntax.at(id); }

  /// The next token, or one after it; the last one is followed by a newline.
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

  /// Skips the next token if it is `wanted`.
  bool accept(std::string_view wanted);

  /// Records the first error and moves to the end of the text, so that every loop ends.
  ExpressionId fail(Range range, std::string message);

  /// The text of the next token, for a message.
  std::string found() const;

  /// Skips `wanted`, or fails: "expected `wanted` `where`, found ...".
  bool expect(std::string_view wanted, std::string_view where);

  /// Whether the next token is the first of a later line that is not indented deeper than the line of
  /// `before`: a statement, to which an open bracket does not belong.
  bool begins_line_beside(Range before) const;

  /// Skips the bracket that closes the one at `opened`, or fails.
  void close(std::string_view bracket, Range opened);

  void skip_newlines();

  /// Enters a block or bracket; fails if the nesting is too deep. leave() goes back.
  void enter();
  void leave() { --m_nesting; }

  /// Adds an expression whose operands were added before, unless the tree is too deep.
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
