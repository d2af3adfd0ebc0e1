// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/mask/language/parse/arithmetic.h"
#include "core/mask/language/parse/expression_parser.h"
#include "core/mask/language/parse/integer_literal.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace vqscope::language {

using Kind = SourceTokenKind;

ExpressionId ExpressionParser::atom() {
  const Range range = here();
  switch (token().kind) {
    case Kind::number: return number();
    case Kind::string: {
      Expression text{.kind = ExpressionKind::string, .range = range};
      for (; token().kind == Kind::string; ++m_at) {  // Python joins those that stand side by side
        text.name += unquoted(here());
        const std::string_view written = slice(here());
        const bool is_filled = written.substr(0, written.find_first_of("\"'")).find_first_of("fF") != std::string::npos;
        if (is_filled && written.find('{') != std::string::npos) text.symbols = {"f"};
        text.range.end = here().end;
      }
      return add(std::move(text));
    }
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
  if (accept("None")) return add({.kind = ExpressionKind::nothing, .range = range});
  if (accept("...")) return add({.kind = ExpressionKind::ellipsis, .range = range});
  if (accept("(")) return parenthesised(range);
  if (accept("[")) return brackets(range);
  if (accept("{")) return braces(range);
  if (accept("*")) {
    const ExpressionId all = expression(Binding::bit_or);
    if (failed()) return no_expression;
    return add({.kind = ExpressionKind::starred, .range = {range.begin, at(all).outer.end}, .operands = {all}});
  }
  return fail(range, "expected a name, a number or (, found " + found());
}

ExpressionId ExpressionParser::parenthesised(Range opened) {
  if (accept(")")) return add({.kind = ExpressionKind::tuple, .range = {opened.begin, m_tokens[m_at - 1].range.end}});
  const ExpressionId first = list();
  ExpressionId inner = is_word("for") ? generator(first) : first;
  if (!failed() && is_word(":=") && at(first).kind == ExpressionKind::name) {
    ++m_at;
    const ExpressionId value = expression(Binding::ternary);
    if (failed()) return no_expression;
    inner = add({.kind = ExpressionKind::assigned,
                 .range = spanning(first, value),
                 .name = at(first).name,
                 .operands = {value}});
  }
  close(")", opened);
  if (failed()) return no_expression;
  Expression& wrapped = syntax().expressions[static_cast<std::size_t>(inner)];
  wrapped.parenthesised = true;
  wrapped.outer = {opened.begin, m_tokens[m_at - 1].range.end};
  return inner;
}

ExpressionId ExpressionParser::brackets(Range opened) {
  Expression all{.kind = ExpressionKind::tuple};
  while (!failed() && !is_word("]")) {
    const ExpressionId item = expression(Binding::ternary);
    if (is_word("for") && all.operands.empty()) {
      const ExpressionId made = generator(item);
      close("]", opened);
      return failed() ? no_expression : made;
    }
    all.operands.push_back(item);
    if (!accept(",")) break;
  }
  if (failed()) return no_expression;
  close("]", opened);
  if (failed()) return no_expression;
  all.range = {opened.begin, m_tokens[m_at - 1].range.end};
  return add(std::move(all));
}

bool ExpressionParser::dictionary_entry(Expression& all) {
  const Range begin = here();
  if (accept("**")) {
    const ExpressionId joined = expression(Binding::bit_or);
    if (failed()) return false;
    const Range range{begin.begin, at(joined).outer.end};
    all.operands.push_back(add({.kind = ExpressionKind::starred, .range = range, .operands = {joined}}));
    all.operands.push_back(add({.kind = ExpressionKind::nothing, .range = range}));
    return true;
  }
  all.operands.push_back(expression(Binding::ternary));
  if (!accept(":")) return false;
  all.operands.push_back(expression(Binding::ternary));
  return true;
}

ExpressionId ExpressionParser::braces(Range opened) {
  Expression all{.kind = ExpressionKind::dictionary};
  for (bool is_first = true; !failed() && !is_word("}"); is_first = false) {
    const bool is_entry = dictionary_entry(all);
    if (is_first && !is_entry) all.kind = ExpressionKind::set;
    if (!failed() && is_first && is_word("for")) {
      const bool is_pair = is_entry && all.operands.size() == 2;
      const ExpressionId item = is_pair
                                    ? add({.kind = ExpressionKind::tuple,
                                           .range = {at(all.operands[0]).outer.begin, at(all.operands[1]).outer.end},
                                           .operands = all.operands})
                                    : all.operands.front();
      const ExpressionId made = generator(item);
      close("}", opened);
      if (failed()) return no_expression;
      syntax().expressions[static_cast<std::size_t>(made)].name = is_pair ? "dictionary" : "set";
      return made;
    }
    if (!failed() && is_entry != (all.kind == ExpressionKind::dictionary))
      return fail(here(), "expected : and a value, found " + found());
    if (!accept(",")) break;
  }
  if (failed()) return no_expression;
  close("}", opened);
  if (failed()) return no_expression;
  all.range = {opened.begin, m_tokens[m_at - 1].range.end};
  return add(std::move(all));
}

bool ExpressionParser::read_names(std::vector<std::string>& names, std::vector<ExpressionId>& nested) {
  const bool is_former = std::exchange(m_in_for, true);
  const ExpressionId read = list();
  m_in_for = is_former;
  if (failed()) return false;
  const bool unpacks = at(read).kind == ExpressionKind::tuple;
  const auto all = unpacks ? at(read).operands : std::vector<ExpressionId>{read};
  for (const ExpressionId id : all) {
    const bool is_nested = at(id).kind == ExpressionKind::tuple && unpacks;
    if (at(id).kind != ExpressionKind::name && !is_nested)
      fail(at(id).range, "for takes names, found " + shortened(slice(at(id).range)));
    if (failed()) return false;
    if (is_nested) nested.push_back(id);
    names.push_back(is_nested ? std::string(slice(at(id).range)) : at(id).name);
  }
  return unpacks;
}

ExpressionId ExpressionParser::generator(ExpressionId value) {
  if (failed()) return no_expression;
  Expression made{.kind = ExpressionKind::generator, .operands = {value}};
  ++m_at;
  std::vector<ExpressionId> nested;
  const bool unpacks = read_names(made.names, nested);
  if (!nested.empty()) return fail(at(nested.front()).range, "for in a list takes names alone here");
  if (failed() || !expect("in", "after the names of for")) return no_expression;
  if (unpacks) made.symbols.emplace_back("unpacks");
  made.operands.push_back(expression(Binding::disjunction));
  while (!failed() && accept("if")) made.operands.push_back(expression(Binding::disjunction));
  if (!failed() && is_word("for")) {
    made.operands.front() = generator(value);
    made.symbols.emplace_back("nested");
  }
  if (failed()) return no_expression;
  made.range = {at(value).outer.begin, m_tokens[m_at - 1].range.end};
  return add(std::move(made));
}

std::string ExpressionParser::unquoted(Range range) const {
  std::string_view text = slice(range);
  text.remove_prefix(std::min(text.find_first_of("\"'"), text.size()));
  const std::string_view three = text.substr(0, 3);
  const std::size_t quotes = three == "\"\"\"" || three == "'''" ? 3 : 1;
  if (text.size() < 2 * quotes) return {};
  return std::string(text.substr(quotes, text.size() - 2 * quotes));
}

ExpressionId ExpressionParser::number() {
  const Range range = here();
  const std::string digits(word());
  ++m_at;
  const bool is_hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
  if (!is_hexadecimal && digits.find_first_of(".eE") != std::string::npos) return fraction(range, digits);
  const auto value = integer_literal(digits);
  if (!value) return fail(range, value.error().message);
  return add({.kind = ExpressionKind::integer, .range = range, .value = *value});
}

/// Digits, a point and an exponent, exactly: 0.25 is 25 / 100.
ExpressionId ExpressionParser::fraction(Range range, const std::string& digits) {
  Expression made{.kind = ExpressionKind::real, .range = range};
  const auto exponent_at = std::min(digits.find_first_of("eE"), digits.size());
  std::optional<Index> value = 0;
  int shift = 0;
  bool behind_point = false;
  for (const char c : digits.substr(0, exponent_at)) {
    if (c == '.' && !std::exchange(behind_point, true)) continue;
    if (c == '_') continue;
    if (c < '0' || c > '9') return fail(range, shortened(digits) + " is no number");
    if (value) value = multiply(*value, 10);
    if (value) value = vqscope::language::add(*value, c - '0');
    shift -= behind_point ? 1 : 0;
  }
  if (exponent_at + 1 < digits.size()) {
    const auto exponent = integer_literal(digits.substr(exponent_at + 1));
    if (!exponent) return fail(range, shortened(digits) + " is no number");
    shift += static_cast<int>(std::clamp<Index>(*exponent, -100, 100));
  }
  std::optional<Index> denominator = 1;
  for (; shift > 0 && value; --shift) value = multiply(*value, 10);
  for (; shift < 0 && denominator; ++shift) denominator = multiply(*denominator, 10);
  if (!value || !denominator) return fail(range, shortened(digits) + " has too many digits; 64 bits hold 18 of them");
  const Index common = std::max<Index>(std::gcd(*value, *denominator), 1);
  made.value = *value / common;
  made.denominator = *denominator / common;
  return this->add(std::move(made));
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
    // What comes by keyword alone, or by position alone, is given just the same.
    if ((is_word("*") || is_word("/")) && (is_word(",", 1) || is_word(end, 1))) {
      m_at += is_word(",", 1) ? 2 : 1;
      continue;
    }
    const bool gathers = accept("*") || accept("**");
    if (!is_name()) {
      fail(here(), "expected the name of a parameter, found " + found());
      break;
    }
    Parameter parameter{.name = std::string(word()), .range = here(), .gathers = gathers};
    ++m_at;
    if (annotated && accept(":")) {
      const std::size_t type = m_at;
      skip_annotation(")");
      for (std::size_t i = type; i < m_at; ++i)
        parameter.is_tensor = parameter.is_tensor || slice(m_tokens[i].range).ends_with("Tensor");
    }
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
    if (is_word("**")) {
      const Range stars = here();
      ++m_at;
      const ExpressionId all = expression(Binding::ternary);
      if (failed()) break;
      made.keywords.emplace_back("**");
      made.operands.push_back(
          add({.kind = ExpressionKind::starred, .range = {stars.begin, at(all).outer.end}, .operands = {all}}));
      if (!accept(",")) break;
      continue;
    }
    if ((is_name() || token().kind == Kind::keyword) && is_word("=", 1)) {
      keyword = std::string(word());
      m_at += 2;
    }
    made.keywords.push_back(std::move(keyword));
    const ExpressionId argument = expression(Binding::ternary);
    made.operands.push_back(!failed() && is_word("for") ? generator(argument) : argument);
    if (!accept(",")) break;
  }
  if (failed()) return no_expression;
  close(")", opened);
  if (failed()) return no_expression;
  made.range = through_last(callee);
  return add(std::move(made));
}

/// An index, or a slice: first:end:step, each of which may be left out.
ExpressionId ExpressionParser::index() {
  const Range begin = here();
  const auto part = [&] {
    const bool is_left_out = is_word(":") || is_word(",") || is_word("]");
    return is_left_out ? add({.kind = ExpressionKind::nothing, .range = {here().begin, here().begin}})
                       : expression(Binding::ternary);
  };
  const ExpressionId first = part();
  if (failed() || !is_word(":")) return first;
  Expression made{.kind = ExpressionKind::slice, .operands = {first}};
  while (made.operands.size() < 3 && !failed() && accept(":")) made.operands.push_back(part());
  if (failed()) return no_expression;
  made.range = {begin.begin, m_tokens[m_at - 1].range.end};
  while (made.operands.size() < 3)
    made.operands.push_back(add({.kind = ExpressionKind::nothing, .range = {made.range.end, made.range.end}}));
  return add(std::move(made));
}

ExpressionId ExpressionParser::subscript(ExpressionId array, Range opened) {
  Expression made{.kind = ExpressionKind::index, .operands = {array}};
  while (!failed() && !is_word("]")) {
    made.operands.push_back(index());
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
