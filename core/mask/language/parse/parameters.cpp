// SPDX-License-Identifier: GPL-3.0-or-later
// Names that get a value: in a for, a def and a lambda.
#include "core/mask/language/parse/grammar.h"

#include "core/base/text.h"

#include <utility>

namespace vqscope::language {

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
    // Keyword-only and positional-only parameters are treated like all others.
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
      if (r.next == type + 1) parameter.type = r.slice(r.tokens[type].range);
      for (std::size_t i = type; i < r.next; ++i)
        parameter.is_tensor = parameter.is_tensor || r.slice(r.tokens[i].range).ends_with("Tensor");
    }
    if (r.accept("=")) parameter.default_value = parse_expression(r, Binding::ternary);
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

}  // namespace vqscope::language
