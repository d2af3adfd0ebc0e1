// SPDX-License-Identifier: GPL-3.0-or-later
// Calls, indices and attributes after a value.
#include "core/mask/language/parse/grammar.h"

#include <utility>

namespace vqscope::language {
namespace {

using Kind = SourceTokenKind;

/// From the start of `value` to the token before the next.
Range through_last(const TokenReader& r, ExpressionId value) {
  return {r.at(value).outer.begin, r.tokens[r.next - 1].range.end};
}

ExpressionId parse_call(TokenReader& r, ExpressionId callee, Range opened) {
  Expression made{.kind = ExpressionKind::call, .operands = {callee}};
  while (!r.failed() && !r.is_word(")")) {
    std::string keyword;
    if (r.is_word("**")) {
      const Range stars = r.here();
      ++r.next;
      const ExpressionId all = parse_expression(r, Binding::ternary);
      if (r.failed()) break;
      made.keywords.emplace_back("**");
      made.operands.push_back(
          r.add({.kind = ExpressionKind::starred, .range = {stars.begin, r.at(all).outer.end}, .operands = {all}}));
      if (!r.accept(",")) break;
      continue;
    }
    if ((r.is_name() || r.token().kind == Kind::keyword) && r.is_word("=", 1)) {
      keyword = std::string(r.word());
      r.next += 2;
    }
    made.keywords.push_back(std::move(keyword));
    const ExpressionId argument = parse_expression(r, Binding::ternary);
    made.operands.push_back(!r.failed() && r.is_word("for") ? parse_generator(r, argument) : argument);
    if (!r.accept(",")) break;
  }
  if (r.failed()) return no_expression;
  r.close(")", opened);
  if (r.failed()) return no_expression;
  made.range = through_last(r, callee);
  return r.add(std::move(made));
}

/// An index, or a slice first:end:step, each part of which is optional.
ExpressionId parse_index(TokenReader& r) {
  const Range begin = r.here();
  const auto part = [&] {
    const bool is_left_out = r.is_word(":") || r.is_word(",") || r.is_word("]");
    return is_left_out ? r.add({.kind = ExpressionKind::nothing, .range = {r.here().begin, r.here().begin}})
                       : parse_expression(r, Binding::ternary);
  };
  const ExpressionId first = part();
  if (r.failed() || !r.is_word(":")) return first;
  Expression made{.kind = ExpressionKind::slice, .operands = {first}};
  while (made.operands.size() < 3 && !r.failed() && r.accept(":")) made.operands.push_back(part());
  if (r.failed()) return no_expression;
  made.range = {begin.begin, r.tokens[r.next - 1].range.end};
  while (made.operands.size() < 3)
    made.operands.push_back(r.add({.kind = ExpressionKind::nothing, .range = {made.range.end, made.range.end}}));
  return r.add(std::move(made));
}

ExpressionId parse_subscript(TokenReader& r, ExpressionId array, Range opened) {
  Expression made{.kind = ExpressionKind::index, .operands = {array}};
  while (!r.failed() && !r.is_word("]")) {
    made.operands.push_back(parse_index(r));
    if (!r.accept(",")) break;
  }
  if (r.failed()) return no_expression;
  r.close("]", opened);
  if (r.failed()) return no_expression;
  if (made.operands.size() < 2) return r.fail(opened, "there is no index between these brackets");
  made.range = through_last(r, array);
  return r.add(std::move(made));
}

}  // namespace

ExpressionId parse_postfix(TokenReader& r, ExpressionId value) {
  while (!r.failed()) {
    const Range opened = r.here();
    if (r.accept("(")) {
      value = parse_call(r, value, opened);
    } else if (r.accept("[")) {
      value = parse_subscript(r, value, opened);
    } else if (r.accept(".")) {
      if (!r.is_name() && r.token().kind != Kind::keyword)
        return r.fail(r.here(), "expected a name after ., found " + r.found());
      const Range range{r.at(value).outer.begin, r.here().end};
      std::string name(r.word());
      ++r.next;
      value = r.add({.kind = ExpressionKind::attribute, .range = range, .name = std::move(name), .operands = {value}});
    } else {
      break;
    }
  }
  return value;
}

}  // namespace vqscope::language
