// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/expression_parser.h"
#include "core/mask/language/integer_literal.h"

namespace vqscope::language {

using Kind = SourceTokenKind;

ExpressionId ExpressionParser::atom() {
  const Range range = here();
  switch (token().kind) {
    case Kind::number: return number();
    case Kind::string: ++m_at; return add({.kind = ExpressionKind::string, .range = range});
    case Kind::name:
    case Kind::variable:
    case Kind::function: {
      std::string name(word());
      ++m_at;
      return add({.kind = ExpressionKind::name, .range = range, .name = std::move(name)});
    }
    default: break;
  }
  if (is_word("True") || is_word("False")) {
    const Index value = is_word("True") ? 1 : 0;
    ++m_at;
    return add({.kind = ExpressionKind::boolean, .range = range, .value = value});
  }
  if (accept("(")) return parenthesised(range);
  return fail(range, "expected " + std::string(advice()) + ", found " + found());
}

std::string_view ExpressionParser::advice() const {
  if (is_word("[") || is_word("{"))
    return "a name, a number or (: lists are not part of the mask language, leave an array's name free and give its "
           "values beside the text";
  return "a name, a number or (";
}

ExpressionId ExpressionParser::parenthesised(Range opened) {
  if (is_word(")")) return fail(opened, "there is nothing between these parentheses");
  const ExpressionId inner = list();
  close(")", opened);
  if (failed()) return no_expression;
  Expression& wrapped = syntax().expressions[static_cast<std::size_t>(inner)];
  wrapped.parenthesised = true;
  wrapped.outer = {opened.begin, m_tokens[m_at - 1].range.end};
  return inner;
}

ExpressionId ExpressionParser::number() {
  const Range range = here();
  const auto value = integer_literal(std::string(word()));
  ++m_at;
  if (!value) return fail(range, value.error().message);
  return add({.kind = ExpressionKind::integer, .range = range, .value = *value});
}

ExpressionId ExpressionParser::lambda() {
  const Range begin = here();
  ++m_at;
  Function function{.name = "lambda", .range = begin};
  function.parameters = parameters(":", false);
  if (failed() || !expect(":", "after the parameters of lambda")) return no_expression;
  const ExpressionId value = expression(Binding::ternary);
  if (failed()) return no_expression;
  const Range range{begin.begin, at(value).outer.end};
  function.body.push_back({.kind = StatementKind::give_back, .range = at(value).range, .value = value});
  const auto index = static_cast<Index>(syntax().functions.size());
  syntax().functions.push_back(std::move(function));
  return add({.kind = ExpressionKind::lambda, .range = range, .value = index, .operands = {value}});
}

std::vector<Parameter> ExpressionParser::parameters(std::string_view end, bool annotated) {
  std::vector<Parameter> found_parameters;
  while (!failed() && !is_word(end)) {
    if (is_word("*") || is_word("**") || is_word("/")) {
      fail(here(), "parameters are plain names, found " + found());
      break;
    }
    if (!is_name()) {
      fail(here(), "expected the name of a parameter, found " + found());
      break;
    }
    Parameter parameter{std::string(word()), here()};
    ++m_at;
    if (annotated && accept(":")) skip_annotation(")");
    if (accept("=")) parameter.fallback = expression(Binding::ternary);
    found_parameters.push_back(std::move(parameter));
    if (!accept(",")) break;
  }
  return found_parameters;
}

void ExpressionParser::skip_annotation(std::string_view end) {
  int depth = 0;
  for (; !at_newline(); ++m_at) {
    if (depth == 0 && (is_word("=") || (!end.empty() && (is_word(end) || (end == ")" && is_word(",")))))) return;
    if (is_word("(") || is_word("[")) ++depth;
    if (is_word(")") || is_word("]")) --depth;
  }
}

ExpressionId ExpressionParser::postfix(ExpressionId value) {
  while (!failed()) {
    const Range opened = here();
    if (accept("(")) {
      value = call(value, opened);
    } else if (accept("[")) {
      value = subscript(value, opened);
    } else if (accept(".")) {
      if (!is_name() && token().kind != Kind::keyword) return fail(here(), "expected a name after ., found " + found());
      const Range range{at(value).outer.begin, here().end};
      std::string name(word());
      ++m_at;
      value = add({.kind = ExpressionKind::attribute, .range = range, .name = std::move(name), .operands = {value}});
    } else {
      break;
    }
  }
  return value;
}

Range ExpressionParser::through_last(ExpressionId value) const {
  return {at(value).outer.begin, m_tokens[m_at - 1].range.end};
}

ExpressionId ExpressionParser::call(ExpressionId callee, Range opened) {
  Expression made{.kind = ExpressionKind::call, .operands = {callee}};
  while (!failed() && !is_word(")")) {
    std::string keyword;
    if (is_word("*") || is_word("**")) return fail(here(), "arguments are written one by one, found " + found());
    if ((is_name() || token().kind == Kind::keyword) && is_word("=", 1)) {
      keyword = std::string(word());
      m_at += 2;
    }
    made.keywords.push_back(std::move(keyword));
    made.operands.push_back(expression(Binding::ternary));
    if (!accept(",")) break;
  }
  if (failed()) return no_expression;
  close(")", opened);
  if (failed()) return no_expression;
  made.range = through_last(callee);
  return add(std::move(made));
}

ExpressionId ExpressionParser::subscript(ExpressionId array, Range opened) {
  Expression made{.kind = ExpressionKind::index, .operands = {array}};
  while (!failed() && !is_word("]")) {
    if (is_word(":")) return fail(here(), "slices are not part of the mask language; index with an integer");
    made.operands.push_back(expression(Binding::ternary));
    if (is_word(":")) return fail(here(), "slices are not part of the mask language; index with an integer");
    if (!accept(",")) break;
  }
  if (failed()) return no_expression;
  close("]", opened);
  if (failed()) return no_expression;
  if (made.operands.size() < 2) return fail(opened, "there is no index between these brackets");
  made.range = through_last(array);
  return add(std::move(made));
}

}  // namespace vqscope::language
