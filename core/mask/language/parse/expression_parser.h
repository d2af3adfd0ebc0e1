// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/parse/operators.h"
#include "core/mask/language/parse/token_reader.h"

namespace vqscope::language {

/// Expressions of a text, by how tightly their operators bind. What reads one gives no_expression after an error.
class ExpressionParser : protected TokenReader {
 protected:
  using TokenReader::TokenReader;

  /// An expression whose operators bind at least as tightly as `least`.
  ExpressionId expression(Binding least);

  /// Expressions with commas between them are a tuple.
  ExpressionId list();

  /// The names that an item is given: `name`, or `a, b` to unpack it into. True: it is unpacked. What stands in
  /// parentheses among them goes to `nested`, under its text as a name.
  bool read_names(std::vector<std::string>& names, std::vector<ExpressionId>& nested);

  /// Of a def or a lambda, up to `end`; with annotations or without.
  std::vector<Parameter> parameters(std::string_view end, bool annotated);

  /// A type: everything up to a comma, = or `end` outside brackets of its own.
  void skip_annotation(std::string_view end);

  /// Keeps an expression whose operands are kept already, unless too many hang on one another.
  ExpressionId add(Expression expression);

 private:
  // Operators: expression_parser.cpp.

  /// From the beginning of one expression to the end of another one, with their parentheses.
  Range spanning(ExpressionId first, ExpressionId last) const;
  ExpressionId prefix(Binding least);

  /// -9223372036854775808, whose digits alone are too large.
  bool at_lowest_integer() const;

  /// `left` with the operator that follows it; `left` itself when none does that binds tightly enough.
  ExpressionId infix(ExpressionId left, Binding least);
  ExpressionId conditional(ExpressionId chosen);
  ExpressionId junction(ExpressionId left, std::string_view keyword, ExpressionKind kind, Binding operand);

  /// `<=`, `is not`: the comparison that follows; empty when none does.
  std::string comparison_ahead() const;
  ExpressionId chain(ExpressionId left);

  /// &, | or ^ without parentheses around it.
  bool is_loose(ExpressionId id) const;
  std::string text_of(ExpressionId id) const;

  /// q_idx >= kv_idx & x == y compares q_idx with kv_idx & x: rarely what is meant.
  void warn_of_mixed(const Expression& compared, Range symbol);

  // Names, literals, calls: atom_parser.cpp.

  ExpressionId atom();
  ExpressionId parenthesised(Range opened);

  /// [a, b], as a tuple.
  ExpressionId brackets(Range opened);

  /// {a, b}, {a: b} and what is made item by item.
  ExpressionId braces(Range opened);

  /// An entry of a dictionary, behind its key where that has been read already. False: it is an item of a set.
  bool dictionary_entry(Expression& all);

  /// `value for names in all if condition`, after its value.
  ExpressionId generator(ExpressionId value);

  /// Of a string: what stands between its quotes.
  std::string unquoted(Range range) const;
  ExpressionId number();
  ExpressionId fraction(Range range, const std::string& digits);
  ExpressionId lambda();

  /// What may follow a value: calls, indices, attributes.
  ExpressionId postfix(ExpressionId value);

  /// From the start of `value` to the token before the next.
  Range through_last(ExpressionId value) const;
  ExpressionId call(ExpressionId callee, Range opened);
  ExpressionId subscript(ExpressionId array, Range opened);
  ExpressionId index();

  bool m_in_for = false;  ///< `in` ends the names of a for
};

}  // namespace vqscope::language
