// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/parse/grammar.h"

#include "core/base/text.h"
#include "core/mask/language/parse/arithmetic.h"
#include "core/mask/language/parse/integer_literal.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace vqscope::language {
namespace {

using Kind = SourceTokenKind;

/// `value for names in all if condition`, after its value.
ExpressionId parse_generator(TokenReader& r, ExpressionId value) {
  if (r.failed()) return no_expression;
  Expression made{.kind = ExpressionKind::generator, .operands = {value}};
  ++r.next;
  std::vector<ExpressionId> nested;
  const bool unpacks = read_names(r, made.names, nested);
  if (!nested.empty()) return r.fail(r.at(nested.front()).range, "for in a list takes names alone here");
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

/// [a, b], as a tuple.
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

/// An entry of a dictionary, behind its key where that has been read already. False: it is an item of a set.
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

/// {a, b}, {a: b} and what is made item by item.
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

/// Of a string: what stands between its quotes.
std::string unquoted(const TokenReader& r, Range range) {
  std::string_view text = r.slice(range);
  text.remove_prefix(std::min(text.find_first_of("\"'"), text.size()));
  const std::string_view three = text.substr(0, 3);
  const std::size_t quotes = three == "\"\"\"" || three == "'''" ? 3 : 1;
  if (text.size() < 2 * quotes) return {};
  return std::string(text.substr(quotes, text.size() - 2 * quotes));
}

/// Digits, a point and an exponent, exactly: 0.25 is 25 / 100.
ExpressionId parse_fraction(TokenReader& r, Range range, const std::string& digits) {
  Expression made{.kind = ExpressionKind::real, .range = range};
  const auto exponent_at = std::min(digits.find_first_of("eE"), digits.size());
  std::optional<Index> value = 0;
  int shift = 0;
  bool behind_point = false;
  for (const char c : digits.substr(0, exponent_at)) {
    if (c == '.' && !std::exchange(behind_point, true)) continue;
    if (c == '_') continue;
    if (c < '0' || c > '9') return r.fail(range, shortened(digits) + " is no number");
    if (value) value = multiply(*value, 10);
    if (value) value = add(*value, c - '0');
    shift -= behind_point ? 1 : 0;
  }
  if (exponent_at + 1 < digits.size()) {
    const auto exponent = integer_literal(digits.substr(exponent_at + 1));
    if (!exponent) return r.fail(range, shortened(digits) + " is no number");
    shift += static_cast<int>(std::clamp<Index>(*exponent, -100, 100));
  }
  std::optional<Index> denominator = 1;
  for (; shift > 0 && value; --shift) value = multiply(*value, 10);
  for (; shift < 0 && denominator; ++shift) denominator = multiply(*denominator, 10);
  if (!value || !denominator) return r.fail(range, shortened(digits) + " has too many digits; 64 bits hold 18 of them");
  const Index common = std::max<Index>(std::gcd(*value, *denominator), 1);
  made.value = *value / common;
  made.denominator = *denominator / common;
  return r.add(std::move(made));
}

ExpressionId parse_number(TokenReader& r) {
  const Range range = r.here();
  const std::string digits(r.word());
  ++r.next;
  const bool is_hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
  if (!is_hexadecimal && digits.find_first_of(".eE") != std::string::npos) return parse_fraction(r, range, digits);
  const auto value = integer_literal(digits);
  if (!value) return r.fail(range, value.error().message);
  return r.add({.kind = ExpressionKind::integer, .range = range, .value = *value});
}

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

/// An index, or a slice: first:end:step, each of which may be left out.
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

ExpressionId parse_atom(TokenReader& r) {
  const Range range = r.here();
  switch (r.token().kind) {
    case Kind::number: return parse_number(r);
    case Kind::string: {
      Expression text{.kind = ExpressionKind::string, .range = range};
      for (; r.token().kind == Kind::string; ++r.next) {  // Python joins those that stand side by side
        text.name += unquoted(r, r.here());
        const std::string_view written = r.slice(r.here());
        const bool is_filled = written.substr(0, written.find_first_of("\"'")).find_first_of("fF") != std::string::npos;
        if (is_filled && written.find('{') != std::string::npos) text.symbols = {"f"};
        text.range.end = r.here().end;
      }
      return r.add(std::move(text));
    }
    case Kind::name:
    case Kind::variable:
    case Kind::function: {
      std::string name(r.word());
      ++r.next;
      return r.add({.kind = ExpressionKind::name, .range = range, .name = std::move(name)});
    }
    default: break;
  }
  if (r.is_word("True") || r.is_word("False")) {
    const Index value = r.is_word("True") ? 1 : 0;
    ++r.next;
    return r.add({.kind = ExpressionKind::boolean, .range = range, .value = value});
  }
  if (r.accept("None")) return r.add({.kind = ExpressionKind::nothing, .range = range});
  if (r.accept("...")) return r.add({.kind = ExpressionKind::ellipsis, .range = range});
  if (r.accept("(")) return parse_parentheses(r, range);
  if (r.accept("[")) return parse_brackets(r, range);
  if (r.accept("{")) return parse_braces(r, range);
  if (r.accept("*")) {
    const ExpressionId all = parse_expression(r, Binding::bit_or);
    if (r.failed()) return no_expression;
    return r.add({.kind = ExpressionKind::starred, .range = {range.begin, r.at(all).outer.end}, .operands = {all}});
  }
  return r.fail(range, "expected a name, a number or (, found " + r.found());
}

bool read_names(TokenReader& r, std::vector<std::string>& names, std::vector<ExpressionId>& nested) {
  const bool is_former = std::exchange(r.in_for, true);
  const ExpressionId read = parse_list(r);
  r.in_for = is_former;
  if (r.failed()) return false;
  const bool unpacks = r.at(read).kind == ExpressionKind::tuple;
  const auto all = unpacks ? r.at(read).operands : std::vector<ExpressionId>{read};
  for (const ExpressionId id : all) {
    const bool is_nested = r.at(id).kind == ExpressionKind::tuple && unpacks;
    if (r.at(id).kind != ExpressionKind::name && !is_nested)
      r.fail(r.at(id).range, "for takes names, found " + shortened(r.slice(r.at(id).range)));
    if (r.failed()) return false;
    if (is_nested) nested.push_back(id);
    names.push_back(is_nested ? std::string(r.slice(r.at(id).range)) : r.at(id).name);
  }
  return unpacks;
}

ExpressionId parse_lambda(TokenReader& r) {
  const Range begin = r.here();
  ++r.next;
  Function function{.name = "lambda", .range = begin};
  function.parameters = parse_parameters(r, ":", false);
  if (r.failed() || !r.expect(":", "after the parameters of lambda")) return no_expression;
  const ExpressionId value = parse_expression(r, Binding::ternary);
  if (r.failed()) return no_expression;
  const Range range{begin.begin, r.at(value).outer.end};
  function.body.push_back({.kind = StatementKind::give_back, .range = r.at(value).range, .value = value});
  const auto index = static_cast<Index>(r.syntax().functions.size());
  r.syntax().functions.push_back(std::move(function));
  return r.add({.kind = ExpressionKind::lambda, .range = range, .value = index, .operands = {value}});
}

std::vector<Parameter> parse_parameters(TokenReader& r, std::string_view end, bool annotated) {
  std::vector<Parameter> found_parameters;
  while (!r.failed() && !r.is_word(end)) {
    // What comes by keyword alone, or by position alone, is given just the same.
    if ((r.is_word("*") || r.is_word("/")) && (r.is_word(",", 1) || r.is_word(end, 1))) {
      r.next += r.is_word(",", 1) ? 2 : 1;
      continue;
    }
    const bool gathers = r.accept("*") || r.accept("**");
    if (!r.is_name()) {
      r.fail(r.here(), "expected the name of a parameter, found " + r.found());
      break;
    }
    Parameter parameter{.name = std::string(r.word()), .range = r.here(), .gathers = gathers};
    ++r.next;
    if (annotated && r.accept(":")) {
      const std::size_t type = r.next;
      skip_annotation(r, ")");
      for (std::size_t i = type; i < r.next; ++i)
        parameter.is_tensor = parameter.is_tensor || r.slice(r.tokens[i].range).ends_with("Tensor");
    }
    if (r.accept("=")) parameter.fallback = parse_expression(r, Binding::ternary);
    found_parameters.push_back(std::move(parameter));
    if (!r.accept(",")) break;
  }
  return found_parameters;
}

void skip_annotation(TokenReader& r, std::string_view end) {
  int depth = 0;
  for (; !r.at_newline(); ++r.next) {
    if (depth == 0 && (r.is_word("=") || (!end.empty() && (r.is_word(end) || (end == ")" && r.is_word(",")))))) return;
    if (r.is_word("(") || r.is_word("[")) ++depth;
    if (r.is_word(")") || r.is_word("]")) --depth;
  }
}

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
