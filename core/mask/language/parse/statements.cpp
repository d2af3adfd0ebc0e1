// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/parse/grammar.h"

#include "core/base/sentence.h"
#include "core/mask/language/parse/source_error.h"

#include <utility>

namespace vqscope::language {
namespace {

using Kind = SourceTokenKind;

/// name: type = value
void parse_annotated(TokenReader& r, std::vector<Statement>& statements) {
  const Range begin = r.here();
  const std::string name(r.word());
  r.next += 2;
  skip_annotation(r, {});
  if (r.at_newline()) return;
  if (!r.expect("=", "after the annotation")) return;
  statements.push_back({.kind = StatementKind::assign, .range = begin, .targets = {name}, .value = parse_list(r)});
}

/// place = value
Statement written_to(const TokenReader& r, ExpressionId place, ExpressionId value, Range begin) {
  ExpressionId base = place;
  while (r.at(base).kind == ExpressionKind::index || r.at(base).kind == ExpressionKind::attribute)
    base = r.at(base).operands[0];
  return {.kind = StatementKind::write, .range = begin, .targets = {r.at(base).name}, .place = place, .value = value};
}

/// x += y as x = x + y; x may be an index.
void parse_augmented(TokenReader& r, std::vector<Statement>& statements, Range begin, ExpressionId target) {
  const Range symbol = r.here();
  const std::string operation(r.word().substr(0, r.word().size() - 1));
  const bool is_place = r.at(target).kind == ExpressionKind::index;
  if (r.at(target).kind != ExpressionKind::name && !is_place)
    return void(r.fail(begin, "only a name can be assigned to"));
  if (binding_of(operation) == Binding::loosest) return void(r.fail(symbol, missing_operator(operation + "=")));
  ++r.next;
  const std::string name = r.at(target).name;
  const ExpressionId value = parse_list(r);
  if (r.failed()) return;
  const ExpressionId result = r.add({.kind = ExpressionKind::binary,
                                     .range = {begin.begin, r.at(value).outer.end},
                                     .name = operation,
                                     .operands = {target, value}});
  if (r.failed()) return;
  if (is_place) return statements.push_back(written_to(r, target, result, begin));
  statements.push_back({.kind = StatementKind::assign, .range = begin, .targets = {name}, .value = result});
}

void parse_assignment(TokenReader& r, std::vector<Statement>& statements) {
  const Range begin = r.here();
  ExpressionId value = parse_list(r);
  std::vector<Statement> targets;
  while (!r.failed() && r.is_word("=")) {
    if (r.at(value).kind == ExpressionKind::index) {
      ++r.next;
      const ExpressionId place = std::exchange(value, parse_list(r));
      if (!r.failed()) statements.push_back(written_to(r, place, value, begin));
      return;
    }
    Statement target{.kind = StatementKind::assign, .range = begin};
    if (!read_targets(r, value, target)) return;
    ++r.next;
    targets.push_back(std::move(target));
    value = parse_list(r);
  }
  if (!r.failed() && r.token().kind == Kind::symbol && r.word().size() >= 2 && r.word().ends_with("=") &&
      !is_comparison(r.word()) && r.word() != ":=") {
    parse_augmented(r, statements, begin, value);
    return;
  }
  if (!r.failed() && r.is_word(":="))
    return void(r.fail(r.here(), ":= is not part of the mask language; assign on a line of its own"));
  if (r.failed()) return;
  for (Statement& target : targets) {
    target.value = value;
    statements.push_back(std::move(target));
  }
  if (targets.empty()) statements.push_back({.range = begin, .value = value});
}

void parse_def(TokenReader& r, std::vector<Statement>& statements) {
  const Range begin = r.here();
  ++r.next;
  Function function;
  function.range = r.here();
  function.name = std::string(r.word());
  if (!r.is_name()) return void(r.fail(r.here(), "expected a name after def, found " + r.found()));
  ++r.next;
  const Range opened = r.here();
  if (!r.expect("(", "after the name of the function")) return;
  function.parameters = parse_parameters(r, ")", true);
  if (r.failed()) return;
  r.close(")", opened);
  if (r.accept("->")) skip_annotation(r, ":");
  if (!r.expect(":", "after the parameters")) return;
  function.body = parse_body(r, function.range, shortened(function.name), indentation_of(r.text, begin.begin));
  if (r.failed()) return;
  statements.push_back({.kind = StatementKind::define,
                        .range = begin,
                        .function = static_cast<std::int32_t>(r.syntax().functions.size())});
  r.syntax().functions.push_back(std::move(function));
}

void parse_statement(TokenReader& r, std::vector<Statement>& statements) {
  const Range begin = r.here();
  if (r.token().kind == Kind::keyword) {
    if (r.is_word("def")) return parse_def(r, statements);
    if (r.is_word("import") || r.is_word("from")) return skip_line(r);
    if (r.is_word("pass") || r.is_word("global") || r.is_word("nonlocal") || r.is_word("del")) return skip_line(r);
    if (r.is_word("if")) return parse_if(r, statements, indentation_of(r.text, begin.begin));
    if (r.is_word("for")) return parse_for(r, statements);
    if (r.is_word("while")) return parse_while(r, statements);
    if (r.is_word("break") || r.is_word("continue")) {
      statements.push_back({.kind = StatementKind::leave, .range = begin, .unpacks = r.is_word("continue")});
      return void(++r.next);
    }
    if (r.is_word("class")) return parse_class(r, statements);
    if (r.is_word("with") || r.is_word("try")) return parse_guarded(r, statements);
    if (r.is_word("assert")) return parse_assert(r, statements);
    if (r.accept("return")) {
      const ExpressionId value = r.at_newline() ? no_expression : parse_list(r);
      if (value == no_expression && !r.failed()) r.fail(begin, "return has no value; write return and an expression");
      statements.push_back({.kind = StatementKind::give_back, .range = begin, .value = value});
      return;
    }
    if (r.is_word("raise")) {
      statements.push_back({.kind = StatementKind::refuse, .range = begin, .unpacks = r.is_word("SystemExit", 1)});
      return skip_line(r);
    }
    if (const auto advice = no_statement(r); !advice.empty()) return skip_statement(r, statements, advice);
  }
  if (at_match(r)) return parse_match(r, statements);
  if (r.is_word("@")) return skip_line(r);
  if (r.token().kind == Kind::string && r.token(1).kind == Kind::newline) return void(++r.next);
  if (r.is_name() && r.is_word(".", 1) && r.is_word("__name__", 2)) return skip_line(r);
  if (r.is_name() && r.is_word(":", 1)) return parse_annotated(r, statements);
  parse_assignment(r, statements);
}

/// Statements separated by semicolons.
void parse_line(TokenReader& r, std::vector<Statement>& statements) {
  do {
    if (r.at_newline()) return;
    parse_statement(r, statements);
    // A block has already consumed the ends of its lines.
    if (r.failed() || r.tokens[r.next - 1].kind == Kind::newline) return;
    if (!r.at_newline()) r.fail(r.here(), "expected an operator or the end of the line, found " + r.found());
  } while (!r.failed() && !r.at_end() && r.word() == ";" && ++r.next > 0);
}

/// The lines indented by `indent`, up to one that is indented less.
std::vector<Statement> parse_block(TokenReader& r, Index indent) {
  std::vector<Statement> statements;
  r.enter();
  for (r.skip_newlines(); !r.at_end() && column_of(r.text, r.here().begin) >= indent; r.skip_newlines()) {
    if (column_of(r.text, r.here().begin) > indent) {
      r.fail(r.here(), "this line is indented more than the one before, which opens no block");
      break;
    }
    parse_line(r, statements);
  }
  r.leave();
  return statements;
}

}  // namespace

Parsed parse(std::string_view text) {
  TokenReader r(text);
  if (r.text.size() > max_text) {
    r.fail({}, fmt::format("the text has {} bytes but must have at most {}", r.text.size(), max_text));
  } else {
    r.skip_newlines();
    if (!r.at_end()) r.parsed.syntax.statements = parse_block(r, column_of(r.text, r.here().begin));
    if (!r.at_end()) r.fail(r.here(), "this line is indented less than the first one");
    if (!r.failed() && r.parsed.syntax.statements.empty())
      r.fail({}, "there is no mask in the text; write an expression such as kv_idx <= q_idx");
  }
  return std::move(r.parsed);
}

void skip_line(TokenReader& r) {
  while (!r.at_newline()) ++r.next;
}

std::string no_statement(const TokenReader& r) {
  if (r.is_word("elif") || r.is_word("else")) return {};
  for (const char* name : {"class", "with", "try", "except", "finally", "yield", "async", "await"})
    if (r.is_word(name))
      return std::string(name) +
             " is not part of the mask language; statements are assignments, def, if, for, assert, return and a final "
             "expression";
  return {};
}

bool read_targets(TokenReader& r, ExpressionId value, Statement& statement) {
  const Expression& left = r.at(value);
  statement.unpacks = left.kind == ExpressionKind::tuple;
  const std::vector<ExpressionId> all = statement.unpacks ? left.operands : std::vector<ExpressionId>{value};
  if (all.empty()) {
    r.fail(left.range, "there is no name to assign to between these parentheses");
    return false;
  }
  for (const ExpressionId id : all) {
    if (r.at(id).kind == ExpressionKind::attribute && r.at(r.at(id).operands[0]).kind == ExpressionKind::name) {
      statement.targets.push_back(r.at(r.at(id).operands[0]).name + "." + r.at(id).name);  // self.window
      continue;
    }
    if (r.at(id).kind != ExpressionKind::name) {
      r.fail(r.at(id).range, "only names can be assigned to, found " + shortened(r.slice(r.at(id).range)));
      return false;
    }
    statement.targets.push_back(r.at(id).name);
  }
  return true;
}

std::vector<Statement> parse_body(TokenReader& r, Range place, const std::string& owner, Index outer) {
  if (!r.at_newline()) {
    std::vector<Statement> statements;
    parse_line(r, statements);
    return statements;
  }
  r.skip_newlines();
  const Index inner = r.at_end() ? outer : column_of(r.text, r.here().begin);
  if (inner > outer || r.failed()) return parse_block(r, inner);
  r.fail(place, fmt::format("the body of {} is missing", owner));
  return {};
}

}  // namespace vqscope::language
