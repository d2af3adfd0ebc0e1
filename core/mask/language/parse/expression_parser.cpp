// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/parse/expression_parser.h"

#include "core/base/text.h"
#include "core/mask/language/parse/arithmetic.h"
#include "core/mask/language/parse/integer_literal.h"

#include <algorithm>

namespace vqscope::language {

using Kind = SourceTokenKind;

ExpressionId ExpressionParser::add(Expression expression) {
  if (failed()) return no_expression;
  for (const ExpressionId id : expression.operands) expression.depth = std::max(expression.depth, at(id).depth + 1);
  if (expression.depth > max_depth)
    return fail(expression.range, "more than " + to_text(Index{max_depth}) +
                                      " operators hang on one another; give parts a name of their own");
  expression.outer = expression.range;
  syntax().expressions.push_back(std::move(expression));
  return static_cast<ExpressionId>(syntax().expressions.size()) - 1;
}

Range ExpressionParser::spanning(ExpressionId first, ExpressionId last) const {
  return first < 0 || last < 0 ? Range{} : Range{at(first).outer.begin, at(last).outer.end};
}

ExpressionId ExpressionParser::list() {
  const ExpressionId first = expression(Binding::ternary);
  if (failed() || !is_word(",")) return first;
  Expression tuple{.kind = ExpressionKind::tuple, .operands = {first}};
  while (accept(",") && !at_newline() && !is_word(")") && !is_word("=") && !is_word(":") && !failed())
    tuple.operands.push_back(expression(Binding::ternary));
  if (failed()) return no_expression;
  tuple.range = spanning(tuple.operands.front(), tuple.operands.back());
  return add(std::move(tuple));
}

ExpressionId ExpressionParser::expression(Binding least) {
  enter();
  ExpressionId left = failed() ? no_expression : prefix(least);
  while (!failed()) {
    const ExpressionId joined = infix(left, least);
    if (joined == left) break;
    left = joined;
  }
  leave();
  return failed() ? no_expression : left;
}

ExpressionId ExpressionParser::prefix(Binding least) {
  const Range begin = here();
  if (is_word("not") && least <= Binding::negation) {
    ++m_at;
    const ExpressionId operand = expression(Binding::negation);
    return failed() ? no_expression
                    : add({.kind = ExpressionKind::negation,
                           .range = {begin.begin, at(operand).outer.end},
                           .operands = {operand}});
  }
  if (is_word("lambda") && least <= Binding::ternary) return lambda();
  if (at_lowest_integer()) {
    m_at += 2;
    return add(
        {.kind = ExpressionKind::integer, .range = {begin.begin, m_tokens[m_at - 1].range.end}, .value = lowest});
  }
  if (is_word("-") || is_word("+") || is_word("~")) {
    const std::string symbol(word());
    ++m_at;
    const ExpressionId operand = expression(Binding::unary);
    return failed() ? no_expression
                    : add({.kind = ExpressionKind::unary,
                           .range = {begin.begin, at(operand).outer.end},
                           .name = symbol,
                           .operands = {operand}});
  }
  return postfix(atom());
}

bool ExpressionParser::at_lowest_integer() const {
  if (!is_word("-") || token(1).kind != Kind::number) return false;
  for (const char* next : {"**", "(", "[", "."})
    if (is_word(next, 2)) return false;
  const auto value = integer_literal(std::string(word(1)), true);
  return value && *value == lowest;
}

ExpressionId ExpressionParser::infix(ExpressionId left, Binding least) {
  if (least <= Binding::ternary && is_word("if")) return conditional(left);
  if (least <= Binding::disjunction && is_word("or"))
    return junction(left, "or", ExpressionKind::disjunction, Binding::conjunction);
  if (least <= Binding::conjunction && is_word("and"))
    return junction(left, "and", ExpressionKind::conjunction, Binding::negation);
  if (least <= Binding::comparison && !comparison_ahead().empty()) return chain(left);
  if (token().kind != Kind::symbol) return left;
  const std::string symbol(word());
  const Binding binds = binding_of(symbol);
  if (symbol == "@" && binds == Binding::loosest) return fail(here(), missing_operator(symbol));
  if (binds == Binding::loosest || binds < least) return left;
  // ** binds tighter than a sign on its left, looser than one on its right, and groups to the right.
  ++m_at;
  const ExpressionId right = expression(binds == Binding::power ? Binding::unary : tighter(binds));
  if (failed()) return no_expression;
  return add(
      {.kind = ExpressionKind::binary, .range = spanning(left, right), .name = symbol, .operands = {left, right}});
}

ExpressionId ExpressionParser::conditional(ExpressionId chosen) {
  ++m_at;
  const ExpressionId condition = expression(Binding::disjunction);
  if (failed() || !expect("else", "after x if condition")) return no_expression;
  const ExpressionId other = expression(Binding::ternary);
  if (failed()) return no_expression;
  return add(
      {.kind = ExpressionKind::ternary, .range = spanning(chosen, other), .operands = {condition, chosen, other}});
}

ExpressionId ExpressionParser::junction(ExpressionId left, std::string_view keyword, ExpressionKind kind,
                                        Binding operand) {
  Expression all{.kind = kind, .name = std::string(keyword), .operands = {left}};
  while (accept(keyword) && !failed()) all.operands.push_back(expression(operand));
  if (failed()) return no_expression;
  all.range = spanning(left, all.operands.back());
  return add(std::move(all));
}

std::string ExpressionParser::comparison_ahead() const {
  if (token().kind == Kind::symbol) return is_comparison(word()) ? std::string(word()) : std::string();
  if (is_word("is")) return is_word("not", 1) ? "is not" : "is";
  if (is_word("in")) return m_in_for ? "" : "in";
  return is_word("not") && is_word("in", 1) ? "not in" : "";
}

ExpressionId ExpressionParser::chain(ExpressionId left) {
  Expression compared{.kind = ExpressionKind::compare, .operands = {left}};
  Range first_symbol = here();
  for (std::string symbol = comparison_ahead(); !failed() && !symbol.empty(); symbol = comparison_ahead()) {
    m_at += symbol.find(' ') == std::string::npos ? 1 : 2;
    compared.symbols.push_back(std::move(symbol));
    compared.operands.push_back(expression(Binding::bit_or));
  }
  if (failed()) return no_expression;
  compared.range = spanning(left, compared.operands.back());
  warn_of_mixed(compared, first_symbol);
  return add(std::move(compared));
}

bool ExpressionParser::is_loose(ExpressionId id) const {
  const Expression& e = at(id);
  return e.kind == ExpressionKind::binary && !e.parenthesised && is_bitwise(e.name);
}

std::string ExpressionParser::text_of(ExpressionId id) const { return shortened(slice(at(id).outer)); }

void ExpressionParser::warn_of_mixed(const Expression& compared, Range symbol) {
  const auto mixed = std::ranges::find_if(compared.operands, [&](ExpressionId id) { return is_loose(id); });
  if (mixed == compared.operands.end()) return;
  constexpr std::size_t longest = 130;
  std::string reading;
  std::string meant = "(";
  for (std::size_t i = 0; i < compared.operands.size(); ++i) {
    const ExpressionId id = compared.operands[i];
    const std::string before = i == 0 ? "" : " " + compared.symbols[i - 1] + " ";
    reading += before + (is_loose(id) ? "(" + text_of(id) + ")" : text_of(id));
    meant += before;
    meant += is_loose(id) ? text_of(at(id).operands[0]) + ") " + at(id).name + " (" + text_of(at(id).operands[1])
                          : text_of(id);
  }
  const std::string& loose = at(*mixed).name;
  m_parsed.warnings.push_back(source_error(m_text, at(*mixed).range,
                                           loose + " binds tighter than " + std::string(slice(symbol)) +
                                               ", as in Python: this is " + shortened(reading, longest) +
                                               "; write it so, or write " + shortened(meant + ")", longest)));
}

}  // namespace vqscope::language
