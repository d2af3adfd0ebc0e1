// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/parse/grammar.h"

#include "core/base/sentence.h"
#include "core/mask/language/parse/arithmetic.h"
#include "core/mask/language/parse/constant_expression.h"

#include <algorithm>

namespace vqscope::language {
namespace {

using Kind = SourceTokenKind;

/// -9223372036854775808, whose digits alone are too large.
bool at_lowest_integer(const TokenReader& r) {
  if (!r.is_word("-") || r.token(1).kind != Kind::number) return false;
  for (const char* next : {"**", "(", "[", "."})
    if (r.is_word(next, 2)) return false;
  const auto value = integer_literal(std::string(r.word(1)), true);
  return value && *value == lowest;
}

ExpressionId parse_prefix(TokenReader& r, Binding least) {
  const Range begin = r.here();
  if (r.is_word("not") && least <= Binding::negation) {
    ++r.next;
    const ExpressionId operand = parse_expression(r, Binding::negation);
    return r.failed() ? no_expression
                      : r.add({.kind = ExpressionKind::negation,
                               .range = {begin.begin, r.at(operand).outer.end},
                               .operands = {operand}});
  }
  if (r.is_word("lambda") && least <= Binding::ternary) return parse_lambda(r);
  if (at_lowest_integer(r)) {
    r.next += 2;
    return r.add(
        {.kind = ExpressionKind::integer, .range = {begin.begin, r.tokens[r.next - 1].range.end}, .value = lowest});
  }
  if (r.is_word("-") || r.is_word("+") || r.is_word("~")) {
    const std::string symbol(r.word());
    ++r.next;
    const ExpressionId operand = parse_expression(r, Binding::unary);
    return r.failed() ? no_expression
                      : r.add({.kind = ExpressionKind::unary,
                               .range = {begin.begin, r.at(operand).outer.end},
                               .name = symbol,
                               .operands = {operand}});
  }
  return parse_postfix(r, parse_atom(r));
}

/// The comparison that follows, such as `<=` or `is not`; empty: none.
std::string comparison_ahead(const TokenReader& r) {
  if (r.token().kind == Kind::symbol) return is_comparison(r.word()) ? std::string(r.word()) : std::string();
  if (r.is_word("is")) return r.is_word("not", 1) ? "is not" : "is";
  if (r.is_word("in")) return r.in_for ? "" : "in";
  return r.is_word("not") && r.is_word("in", 1) ? "not in" : "";
}

/// &, | or ^ without parentheses around it.
bool is_loose(const TokenReader& r, ExpressionId id) {
  const Expression& e = r.at(id);
  return e.kind == ExpressionKind::binary && !e.parenthesised && is_bitwise(e.name);
}

std::string text_of(const TokenReader& r, ExpressionId id) { return shortened(r.slice(r.at(id).outer)); }

/// q_idx >= kv_idx & x == y compares q_idx with kv_idx & x, which is rarely intended.
void warn_of_mixed(TokenReader& r, const Expression& compared, Range symbol) {
  const auto mixed = std::ranges::find_if(compared.operands, [&](ExpressionId id) { return is_loose(r, id); });
  if (mixed == compared.operands.end()) return;
  constexpr std::size_t longest = 130;
  std::string reading;
  std::string meant = "(";
  for (std::size_t i = 0; i < compared.operands.size(); ++i) {
    const ExpressionId id = compared.operands[i];
    const std::string before = i == 0 ? "" : fmt::format(" {} ", compared.symbols[i - 1]);
    reading += before + (is_loose(r, id) ? "(" + text_of(r, id) + ")" : text_of(r, id));
    meant += before;
    meant += is_loose(r, id) ? fmt::format("{}) {} ({}", text_of(r, r.at(id).operands[0]), r.at(id).name,
                                           text_of(r, r.at(id).operands[1]))
                             : text_of(r, id);
  }
  const std::string& loose = r.at(*mixed).name;
  r.parsed.warnings.push_back(
      source_error(r.text, r.at(*mixed).range,
                   fmt::format("{} binds tighter than {}, as in Python: this is {}; write it so, or write {}", loose,
                               r.slice(symbol), shortened(reading, longest), shortened(meant + ")", longest))));
}

ExpressionId parse_chain(TokenReader& r, ExpressionId left) {
  Expression compared{.kind = ExpressionKind::compare, .operands = {left}};
  Range first_symbol = r.here();
  for (std::string symbol = comparison_ahead(r); !r.failed() && !symbol.empty(); symbol = comparison_ahead(r)) {
    r.next += symbol.find(' ') == std::string::npos ? 1 : 2;
    compared.symbols.push_back(std::move(symbol));
    compared.operands.push_back(parse_expression(r, Binding::bit_or));
  }
  if (r.failed()) return no_expression;
  compared.range = spanning(r, left, compared.operands.back());
  warn_of_mixed(r, compared, first_symbol);
  return r.add(std::move(compared));
}

ExpressionId parse_junction(TokenReader& r, ExpressionId left, std::string_view keyword, ExpressionKind kind,
                            Binding operand) {
  Expression all{.kind = kind, .name = std::string(keyword), .operands = {left}};
  while (r.accept(keyword) && !r.failed()) all.operands.push_back(parse_expression(r, operand));
  if (r.failed()) return no_expression;
  all.range = spanning(r, left, all.operands.back());
  return r.add(std::move(all));
}

/// `left` with the operator that follows; `left` itself if no operator follows that binds tightly
/// enough.
ExpressionId parse_infix(TokenReader& r, ExpressionId left, Binding least) {
  if (least <= Binding::ternary && r.is_word("if")) return parse_ternary(r, left);
  if (least <= Binding::disjunction && r.is_word("or"))
    return parse_junction(r, left, "or", ExpressionKind::disjunction, Binding::conjunction);
  if (least <= Binding::conjunction && r.is_word("and"))
    return parse_junction(r, left, "and", ExpressionKind::conjunction, Binding::negation);
  if (least <= Binding::comparison && !comparison_ahead(r).empty()) return parse_chain(r, left);
  if (r.token().kind != Kind::symbol) return left;
  const std::string symbol(r.word());
  const Binding binds = binding_of(symbol);
  if (symbol == "@" && binds == Binding::loosest) return r.fail(r.here(), missing_operator(symbol));
  if (binds == Binding::loosest || binds < least) return left;
  // ** binds tighter than a sign on its left, looser than one on its right, and groups to the right.
  ++r.next;
  const ExpressionId right = parse_expression(r, binds == Binding::power ? Binding::unary : tighter(binds));
  if (r.failed()) return no_expression;
  return r.add(
      {.kind = ExpressionKind::binary, .range = spanning(r, left, right), .name = symbol, .operands = {left, right}});
}

}  // namespace

Range spanning(const TokenReader& r, ExpressionId first, ExpressionId last) {
  return first < 0 || last < 0 ? Range{} : Range{r.at(first).outer.begin, r.at(last).outer.end};
}

ExpressionId parse_list(TokenReader& r) {
  const ExpressionId first = parse_expression(r, Binding::ternary);
  if (r.failed() || !r.is_word(",")) return first;
  Expression tuple{.kind = ExpressionKind::tuple, .operands = {first}};
  while (r.accept(",") && !r.at_newline() && !r.is_word(")") && !r.is_word("=") && !r.is_word(":") && !r.failed())
    tuple.operands.push_back(parse_expression(r, Binding::ternary));
  if (r.failed()) return no_expression;
  tuple.range = spanning(r, tuple.operands.front(), tuple.operands.back());
  return r.add(std::move(tuple));
}

ExpressionId parse_expression(TokenReader& r, Binding least) {
  r.enter();
  ExpressionId left = r.failed() ? no_expression : parse_prefix(r, least);
  while (!r.failed()) {
    const ExpressionId joined = parse_infix(r, left, least);
    if (joined == left) break;
    left = joined;
  }
  r.leave();
  return r.failed() ? no_expression : left;
}

ExpressionId parse_ternary(TokenReader& r, ExpressionId chosen) {
  ++r.next;
  const ExpressionId condition = parse_expression(r, Binding::disjunction);
  if (r.failed() || !r.expect("else", "after x if condition")) return no_expression;
  const ExpressionId other = parse_expression(r, Binding::ternary);
  if (r.failed()) return no_expression;
  return r.add(
      {.kind = ExpressionKind::ternary, .range = spanning(r, chosen, other), .operands = {condition, chosen, other}});
}

}  // namespace vqscope::language
