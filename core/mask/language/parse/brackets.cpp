// SPDX-License-Identifier: GPL-3.0-or-later
// Bracketed expressions: tuples, lists, sets, dictionaries and generators.
#include "core/mask/language/parse/grammar.h"

#include "core/base/text.h"

#include <utility>

namespace vqscope::language {
namespace {

/// An entry of a dictionary, after its key if that has been read already. False: it is an item of a
/// set.
bool parse_entry(TokenReader& r, Expression& all) {
  const Range begin = r.here();
  if (r.accept("**")) {
    const ExpressionId joined = parse_expression(r, Binding::bit_or);
    if (r.failed()) return false;
    const Range range{begin.begin, r.at(joined).outer.end};
    all.operands.push_back(r.add({.kind = ExpressionKind::starred, .range = range, .operands = {joined}}));
    all.operands.push_back(r.add({.kind = ExpressionKind::nothing, .range = range}));
    return true;
  }
  all.operands.push_back(parse_expression(r, Binding::ternary));
  if (!r.accept(":")) return false;
  all.operands.push_back(parse_expression(r, Binding::ternary));
  return true;
}

}  // namespace

ExpressionId parse_generator(TokenReader& r, ExpressionId value) {
  if (r.failed()) return no_expression;
  Expression made{.kind = ExpressionKind::generator, .operands = {value}};
  ++r.next;
  std::vector<ExpressionId> nested;
  const bool unpacks = read_names(r, made.names, nested);
  if (!nested.empty()) return r.fail(r.at(nested.front()).range, "for in a list takes only names here");
  if (r.failed() || !r.expect("in", "after the names of for")) return no_expression;
  if (unpacks) made.symbols.emplace_back("unpacks");
  made.operands.push_back(parse_expression(r, Binding::disjunction));
  while (!r.failed() && r.accept("if")) made.operands.push_back(parse_expression(r, Binding::disjunction));
  if (!r.failed() && r.is_word("for")) {
    made.operands.front() = parse_generator(r, value);
    made.symbols.emplace_back("nested");
  }
  if (r.failed()) return no_expression;
  made.range = {r.at(value).outer.begin, r.tokens[r.next - 1].range.end};
  return r.add(std::move(made));
}

ExpressionId parse_parentheses(TokenReader& r, Range opened) {
  if (r.accept(")"))
    return r.add({.kind = ExpressionKind::tuple, .range = {opened.begin, r.tokens[r.next - 1].range.end}});
  const ExpressionId first = parse_list(r);
  ExpressionId inner = r.is_word("for") ? parse_generator(r, first) : first;
  if (!r.failed() && r.is_word(":=") && r.at(first).kind == ExpressionKind::name) {
    ++r.next;
    const ExpressionId value = parse_expression(r, Binding::ternary);
    if (r.failed()) return no_expression;
    inner = r.add({.kind = ExpressionKind::assigned,
                   .range = spanning(r, first, value),
                   .name = r.at(first).name,
                   .operands = {value}});
  }
  r.close(")", opened);
  if (r.failed()) return no_expression;
  Expression& wrapped = r.syntax().expressions[static_cast<std::size_t>(inner)];
  wrapped.parenthesised = true;
  wrapped.outer = {opened.begin, r.tokens[r.next - 1].range.end};
  return inner;
}

ExpressionId parse_brackets(TokenReader& r, Range opened) {
  Expression all{.kind = ExpressionKind::tuple};
  while (!r.failed() && !r.is_word("]")) {
    const ExpressionId item = parse_expression(r, Binding::ternary);
    if (r.is_word("for") && all.operands.empty()) {
      const ExpressionId made = parse_generator(r, item);
      r.close("]", opened);
      return r.failed() ? no_expression : made;
    }
    all.operands.push_back(item);
    if (!r.accept(",")) break;
  }
  if (r.failed()) return no_expression;
  r.close("]", opened);
  if (r.failed()) return no_expression;
  all.range = {opened.begin, r.tokens[r.next - 1].range.end};
  return r.add(std::move(all));
}

ExpressionId parse_braces(TokenReader& r, Range opened) {
  Expression all{.kind = ExpressionKind::dictionary};
  for (bool is_first = true; !r.failed() && !r.is_word("}"); is_first = false) {
    const bool is_entry = parse_entry(r, all);
    if (is_first && !is_entry) all.kind = ExpressionKind::set;
    if (!r.failed() && is_first && r.is_word("for")) {
      const bool is_pair = is_entry && all.operands.size() == 2;
      const ExpressionId item =
          is_pair ? r.add({.kind = ExpressionKind::tuple,
                           .range = {r.at(all.operands[0]).outer.begin, r.at(all.operands[1]).outer.end},
                           .operands = all.operands})
                  : all.operands.front();
      const ExpressionId made = parse_generator(r, item);
      r.close("}", opened);
      if (r.failed()) return no_expression;
      r.syntax().expressions[static_cast<std::size_t>(made)].name = is_pair ? "dictionary" : "set";
      return made;
    }
    if (!r.failed() && is_entry != (all.kind == ExpressionKind::dictionary))
      return r.fail(r.here(), "expected : and a value, found " + r.found());
    if (!r.accept(",")) break;
  }
  if (r.failed()) return no_expression;
  r.close("}", opened);
  if (r.failed()) return no_expression;
  all.range = {opened.begin, r.tokens[r.next - 1].range.end};
  return r.add(std::move(all));
}

}  // namespace vqscope::language
