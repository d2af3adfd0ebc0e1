// SPDX-License-Identifier: GPL-3.0-or-later
// Compound statements: if, match, for, and those that are skipped as a whole.
#include "core/mask/language/parse/grammar.h"

#include "core/base/sentence.h"
#include "core/mask/language/names/known_names.h"
#include "core/mask/language/parse/source_error.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace vqscope::language {
namespace {

using Kind = SourceTokenKind;

bool read_guarded(TokenReader& r, std::vector<Statement>& statements) {
  const Range begin = r.here();
  const Index outer = indentation_of(r.text, begin.begin);
  const bool tries = r.is_word("try");
  for (int depth = 0; !r.at_newline() && (depth > 0 || !r.is_word(":")); ++r.next) {
    if (r.is_word("(") || r.is_word("[") || r.is_word("{")) ++depth;
    if (r.is_word(")") || r.is_word("]") || r.is_word("}")) --depth;
  }
  if (!r.expect(":", "at the end of the line")) return false;
  auto guarded = parse_body(r, begin, tries ? "try" : "with", outer);
  if (!tries) {
    statements = std::move(guarded);
    return !r.failed();
  }
  Statement attempt{.kind = StatementKind::attempt, .range = begin, .body = std::move(guarded)};
  std::vector<Statement> after;
  for (std::size_t end = r.next; !r.failed(); end = r.next) {
    r.skip_newlines();
    const bool continued = !r.at_end() && column_of(r.text, r.here().begin) == outer;
    const std::string part(r.word());
    if (!continued || (part != "except" && part != "else" && part != "finally")) {
      r.next = end;
      break;
    }
    const Range place = r.here();
    while (!r.at_newline() && !r.is_word(":")) ++r.next;
    if (!r.expect(":", "at the end of the line")) return false;
    auto read = parse_body(r, place, part, outer);
    if (part != "except")
      after.insert(after.end(), read.begin(), read.end());
    else if (attempt.otherwise.empty())
      attempt.otherwise = std::move(read);
  }
  statements.push_back(std::move(attempt));
  statements.insert(statements.end(), after.begin(), after.end());
  return !r.failed();
}

bool read_fields(TokenReader& r, std::vector<Statement>& statements) {
  const Range begin = r.here();
  ++r.next;
  Function made{.name = std::string(r.word()), .range = r.here()};
  while (!r.at_newline() && !r.is_word(":")) ++r.next;
  if (!r.accept(":") || !r.at_newline()) return false;
  r.skip_newlines();
  const Index outer = indentation_of(r.text, begin.begin);
  Expression all{.kind = ExpressionKind::call,
                 .range = made.range,
                 .operands = {r.add({.kind = ExpressionKind::name, .range = made.range, .name = "SimpleNamespace"})}};
  for (; !r.at_end() && column_of(r.text, r.here().begin) > outer; r.skip_newlines()) {
    const bool is_comment = (r.token().kind == Kind::string && r.token(1).kind == Kind::newline) || r.is_word("pass");
    if (is_comment) {
      ++r.next;
      continue;
    }
    if (!r.is_name() || (!r.is_word(":", 1) && !r.is_word("=", 1))) return false;
    Parameter field{.name = std::string(r.word()), .range = r.here()};
    ++r.next;
    if (r.accept(":")) skip_annotation(r, {});
    if (r.accept("=")) field.default_value = parse_list(r);
    if (r.failed() || !r.at_newline()) return false;
    all.keywords.push_back(field.name);
    all.operands.push_back(r.add({.kind = ExpressionKind::name, .range = field.range, .name = field.name}));
    made.parameters.push_back(std::move(field));
  }
  if (made.parameters.empty()) return false;
  const ExpressionId value = r.add(std::move(all));
  if (r.failed()) return false;
  made.body.push_back({.kind = StatementKind::give_back, .range = made.range, .value = value});
  statements.push_back({.kind = StatementKind::define,
                        .range = begin,
                        .function = static_cast<std::int32_t>(r.syntax().functions.size())});
  r.syntax().functions.push_back(std::move(made));
  return true;
}

bool is_constant_pattern(const TokenReader& r, const Expression& pattern) {
  using enum ExpressionKind;
  const bool is_negative = pattern.kind == unary && r.at(pattern.operands[0]).kind == integer;
  return is_negative || pattern.kind == integer || pattern.kind == real || pattern.kind == boolean ||
         pattern.kind == string || pattern.kind == nothing || pattern.kind == attribute;
}

/// `first and second`; either may be none.
ExpressionId both(TokenReader& r, ExpressionId first, ExpressionId second) {
  if (first == no_expression || second == no_expression) return std::max(first, second);
  return r.add({.kind = ExpressionKind::conjunction,
                .range = spanning(r, first, second),
                .name = "and",
                .operands = {first, second}});
}

/// The condition that the subject of a match has for a pattern; none: it always matches, or an
/// error.
ExpressionId condition_of(TokenReader& r, ExpressionId subject, ExpressionId id) {
  const Expression pattern = r.at(id);
  if (pattern.kind == ExpressionKind::name && pattern.name == "_") return no_expression;
  if (pattern.kind == ExpressionKind::binary && pattern.name == "|") {
    const ExpressionId first = condition_of(r, subject, pattern.operands[0]);
    const ExpressionId second = condition_of(r, subject, pattern.operands[1]);
    if (r.failed() || first == no_expression || second == no_expression) return no_expression;
    return r.add(
        {.kind = ExpressionKind::disjunction, .range = pattern.range, .name = "or", .operands = {first, second}});
  }
  const std::vector<ExpressionId> parts = r.at(subject).operands;
  const bool are_tuples = pattern.kind == ExpressionKind::tuple && r.at(subject).kind == ExpressionKind::tuple;
  if (are_tuples && parts.size() == pattern.operands.size()) {
    ExpressionId all = no_expression;
    for (std::size_t i = 0; i < parts.size() && !r.failed(); ++i)
      all = both(r, all, condition_of(r, parts[i], pattern.operands[i]));
    return all;
  }
  if (!is_constant_pattern(r, pattern))
    return r.fail(pattern.range,
                  "a case compares with numbers, texts, None and names with a dot, as in Style.PAIR, "
                  "joined by |, or is _; found " +
                      shortened(r.slice(pattern.range)));
  return r.add({.kind = ExpressionKind::compare,
                .range = pattern.range,
                .operands = {subject, id},
                .symbols = {pattern.kind == ExpressionKind::nothing ? "is" : "=="}});
}

/// A case and those after it, which are indented by `column`.
void read_cases(TokenReader& r, std::vector<Statement>& statements, ExpressionId subject, Index column) {
  const Range begin = r.here();
  ++r.next;
  const ExpressionId pattern = parse_expression(r, Binding::bit_or);
  if (r.failed()) return;
  const bool captures = r.at(pattern).kind == ExpressionKind::name && r.at(pattern).name != "_";
  if (captures)
    statements.push_back(
        {.kind = StatementKind::assign, .range = begin, .targets = {r.at(pattern).name}, .value = subject});
  ExpressionId condition = captures ? no_expression : condition_of(r, subject, pattern);
  if (!r.failed() && r.accept("if")) condition = both(r, condition, parse_expression(r, Binding::ternary));
  if (r.failed() || !r.expect(":", "after the pattern of case")) return;
  auto body = parse_body(r, begin, "case", column);
  const std::size_t end = r.next;
  r.skip_newlines();
  const bool continued = !r.failed() && !r.at_end() && column_of(r.text, r.here().begin) == column && r.is_word("case");
  if (!continued && !r.failed()) r.next = end;
  if (condition == no_expression) {
    if (continued) return void(r.fail(begin, "this case always matches, and others follow it: Python refuses that"));
    statements.insert(statements.end(), std::make_move_iterator(body.begin()), std::make_move_iterator(body.end()));
    return;
  }
  Statement chosen{.kind = StatementKind::choose, .range = begin, .value = condition, .body = std::move(body)};
  if (continued) {
    r.enter();
    read_cases(r, chosen.otherwise, subject, column);
    r.leave();
  }
  statements.push_back(std::move(chosen));
}

/// The names that a line assigns or changes, and whether it returns. A return is one of the
/// statement that is skipped: a mask must not go on without it.
void skip_code(TokenReader& r, Statement& skipped) {
  const bool changes = r.is_word("[", 1) || (r.is_word(".", 1) && changes_object(r.word(2)));
  if (r.is_name() && changes && !is_module(r.word())) skipped.targets.emplace_back(r.word());  // x[i] = y, x.append(y)
  for (int depth = 0; !r.at_newline(); ++r.next) {
    if (r.is_word("(") || r.is_word("[") || r.is_word("{")) ++depth;
    if (r.is_word(")") || r.is_word("]") || r.is_word("}")) --depth;
    skipped.unpacks = skipped.unpacks || r.is_word("return");
    const bool is_changed = r.token(1).kind == Kind::symbol && r.word(1).ends_with("=") && !is_comparison(r.word(1));
    const bool is_argument = depth > 0 && r.is_word("=", 1);
    if (r.is_name() && is_changed && !is_argument) skipped.targets.emplace_back(r.word());
    if (is_argument && r.is_word("out") && r.is_name(2)) skipped.targets.emplace_back(r.word(2));
    if (r.is_word("as") && r.is_name(1)) skipped.targets.emplace_back(r.word(1));
  }
}

/// Skips a line of a statement; `in_function`: the column of the def or class that the line may be
/// in. Its return and its names are its own.
void skip_one(TokenReader& r, Statement& skipped, std::optional<Index>& in_function) {
  const Index column = indentation_of(r.text, r.here().begin);
  if (in_function && column <= *in_function) in_function.reset();
  if (in_function) {
    const bool shares = r.is_word("global") || r.is_word("nonlocal");
    for (; !r.at_newline(); ++r.next)
      if (shares && r.is_name()) skipped.targets.emplace_back(r.word());
    return;
  }
  const std::size_t keyword = r.is_word("async") ? 1 : 0;
  if (!r.is_word("def", keyword) && !r.is_word("class", keyword)) return skip_code(r, skipped);
  if (r.is_name(keyword + 1)) skipped.targets.emplace_back(r.word(keyword + 1));
  in_function = column;
  skip_line(r);
}

}  // namespace

bool at_match(const TokenReader& r) {
  if (!r.is_name() || !r.is_word("match") || r.is_word(":", 1)) return false;
  std::size_t end = r.next;
  while (r.tokens[end].kind != Kind::newline) ++end;
  return r.slice(r.tokens[end - 1].range) == ":";
}

void parse_match(TokenReader& r, std::vector<Statement>& statements) {
  const Range begin = r.here();
  const Index outer = indentation_of(r.text, begin.begin);
  ++r.next;
  const ExpressionId subject = parse_list(r);
  if (r.failed() || !r.expect(":", "after what match compares")) return;
  r.skip_newlines();
  const Index column = r.at_end() ? outer : column_of(r.text, r.here().begin);
  if (column <= outer || !r.is_word("case")) return void(r.fail(begin, "match has no case"));
  read_cases(r, statements, subject, column);
}

void parse_if(TokenReader& r, std::vector<Statement>& statements, Index outer) {
  const Range begin = r.here();
  const std::string owner(r.word());
  ++r.next;
  Statement chosen{.kind = StatementKind::choose, .range = begin, .value = parse_expression(r, Binding::ternary)};
  if (r.failed() || !r.expect(":", "after the condition")) return;
  chosen.body = parse_body(r, begin, owner, outer);
  const std::size_t end = r.next;
  r.skip_newlines();
  const bool continued = !r.failed() && !r.at_end() && column_of(r.text, r.here().begin) == outer;
  if (continued && r.is_word("elif")) {
    r.enter();
    parse_if(r, chosen.otherwise, outer);
    r.leave();
  } else if (continued && r.is_word("else")) {
    const Range place = r.here();
    ++r.next;
    if (!r.expect(":", "after else")) return;
    chosen.otherwise = parse_body(r, place, "else", outer);
  } else if (!r.failed()) {
    r.next = end;
  }
  if (!r.failed()) statements.push_back(std::move(chosen));
}

void parse_for(TokenReader& r, std::vector<Statement>& statements) {
  const Range begin = r.here();
  ++r.next;
  Statement repeated{.kind = StatementKind::repeat, .range = begin};
  std::vector<ExpressionId> nested;
  repeated.unpacks = read_names(r, repeated.targets, nested);
  if (!r.failed() && repeated.targets.empty()) return void(r.fail(begin, "for takes names, found none"));
  if (r.failed() || !r.expect("in", "after the names of for")) return;
  repeated.value = parse_list(r);
  if (r.failed() || !r.expect(":", "after what for goes through")) return;
  // for i, (a, b) in pairs: the pair is unpacked at the start of the body.
  for (const ExpressionId target : nested) {
    Statement unpacked{.kind = StatementKind::assign, .range = r.at(target).range};
    const std::string name(r.slice(r.at(target).range));
    if (!read_targets(r, target, unpacked)) return;
    unpacked.value = r.add({.kind = ExpressionKind::name, .range = r.at(target).range, .name = name});
    repeated.body.push_back(std::move(unpacked));
  }
  auto written = parse_body(r, begin, "for", indentation_of(r.text, begin.begin));
  repeated.body.insert(repeated.body.end(), written.begin(), written.end());
  if (!r.failed()) statements.push_back(std::move(repeated));
}

void parse_while(TokenReader& r, std::vector<Statement>& statements) {
  const Range begin = r.here();
  ++r.next;
  Statement repeated{.kind = StatementKind::repeat, .range = begin, .value = parse_expression(r, Binding::ternary)};
  if (r.failed() || !r.expect(":", "after the condition")) return;
  repeated.body = parse_body(r, begin, "while", indentation_of(r.text, begin.begin));
  if (!r.failed()) statements.push_back(std::move(repeated));
}

void parse_guarded(TokenReader& r, std::vector<Statement>& statements) {
  const std::size_t begin = r.next;
  const std::string advice = no_statement(r);
  std::vector<Statement> inner;
  if (read_guarded(r, inner)) {
    statements.insert(statements.end(), std::make_move_iterator(inner.begin()), std::make_move_iterator(inner.end()));
    return;
  }
  r.parsed.error.reset();
  r.next = begin;
  skip_statement(r, statements, advice);
}

void parse_class(TokenReader& r, std::vector<Statement>& statements) {
  const std::size_t begin = r.next;
  const std::string advice = no_statement(r);
  if (read_fields(r, statements)) return;
  r.parsed.error.reset();
  r.next = begin;
  skip_statement(r, statements, advice);
}

void parse_assert(TokenReader& r, std::vector<Statement>& statements) {
  const Range begin = r.here();
  ++r.next;
  const ExpressionId condition = parse_expression(r, Binding::ternary);
  if (r.failed()) return;
  statements.push_back({.kind = StatementKind::require, .range = begin, .value = condition});
  if (r.is_word(",")) skip_line(r);
}

void skip_statement(TokenReader& r, std::vector<Statement>& statements, const std::string& advice) {
  const Range begin = r.here();
  const Index outer = indentation_of(r.text, begin.begin);
  Statement skipped{.kind = StatementKind::skipped, .range = begin, .advice = advice};
  const bool is_class = r.is_word("class");
  std::optional<Index> in_function;
  skip_one(r, skipped, in_function);
  // The block under it, and its continuations in Python.
  for (r.skip_newlines(); !r.at_end(); r.skip_newlines()) {
    const Index column = column_of(r.text, r.here().begin);
    const bool continued = column == outer && (r.is_word("except") || r.is_word("finally") || r.is_word("else"));
    if (column <= outer && !continued) break;
    is_class ? skip_line(r) : skip_one(r, skipped, in_function);
  }
  statements.push_back(std::move(skipped));
}

}  // namespace vqscope::language
