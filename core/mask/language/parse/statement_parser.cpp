// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/parse/statement_parser.h"

#include "core/base/text.h"
#include "core/mask/language/parse/indentation.h"

#include <utility>

namespace vqscope::language {

using Kind = SourceTokenKind;

Parsed StatementParser::run() {
  if (m_text.size() > max_text) {
    fail({}, "the text has " + to_text(static_cast<Index>(m_text.size())) + " bytes, allowed are " +
                 to_text(static_cast<Index>(max_text)));
  } else {
    skip_newlines();
    if (!at_end()) m_parsed.syntax.statements = block(column_of(m_text, here().begin));
    if (!at_end()) fail(here(), "this line is indented less than the first one");
    if (!failed() && m_parsed.syntax.statements.empty())
      fail({}, "there is no mask in the text; write an expression such as kv_idx <= q_idx");
  }
  return std::move(m_parsed);
}

std::vector<Statement> StatementParser::block(Index indent) {
  std::vector<Statement> statements;
  enter();
  for (skip_newlines(); !at_end() && column_of(m_text, here().begin) >= indent; skip_newlines()) {
    if (column_of(m_text, here().begin) > indent) {
      fail(here(), "this line is indented more than the one before, which opens no block");
      break;
    }
    line(statements);
  }
  leave();
  return statements;
}

void StatementParser::line(std::vector<Statement>& statements) {
  do {
    if (at_newline()) return;
    statement(statements);
    // A block has taken the ends of its lines.
    if (failed() || m_tokens[m_at - 1].kind == Kind::newline) return;
    if (!at_newline()) fail(here(), "expected an operator or the end of the line, found " + found());
  } while (!failed() && !at_end() && word() == ";" && ++m_at > 0);
}

void StatementParser::statement(std::vector<Statement>& statements) {
  const Range begin = here();
  if (token().kind == Kind::keyword) {
    if (is_word("def")) return define(statements);
    if (is_word("import") || is_word("from")) return skip_line();
    if (is_word("pass") || is_word("global") || is_word("nonlocal") || is_word("del")) return skip_line();
    if (is_word("if")) return conditional(statements, indentation_of(m_text, begin.begin));
    if (is_word("for")) return loop(statements);
    if (is_word("while")) return while_loop(statements);
    if (is_word("break") || is_word("continue")) {
      statements.push_back({.kind = StatementKind::leave, .range = begin, .unpacks = is_word("continue")});
      return void(++m_at);
    }
    if (is_word("class")) return class_of_fields(statements);
    if (is_word("with") || is_word("try")) return guarded_block(statements);
    if (is_word("assert")) return assertion(statements);
    if (accept("return")) {
      const ExpressionId value = at_newline() ? no_expression : list();
      if (value == no_expression && !failed()) fail(begin, "return gives nothing back; write return and an expression");
      statements.push_back({.kind = StatementKind::give_back, .range = begin, .value = value});
      return;
    }
    if (is_word("raise")) {
      statements.push_back({.kind = StatementKind::refuse, .range = begin});
      return skip_line();
    }
    if (const auto advice = no_statement(); !advice.empty()) return skip_statement(statements, advice);
  }
  if (is_word("@")) return skip_line();
  if (token().kind == Kind::string && token(1).kind == Kind::newline) return void(++m_at);
  if (is_name() && is_word(".", 1) && is_word("__name__", 2)) return skip_line();
  if (is_name() && is_word(":", 1)) return annotated(statements);
  assignment_or_expression(statements);
}

void StatementParser::skip_line() {
  while (!at_newline()) ++m_at;
}

std::string StatementParser::no_statement() const {
  if (is_word("elif") || is_word("else")) return {};
  for (const char* name : {"class", "with", "try", "except", "finally", "yield", "async", "await"})
    if (is_word(name))
      return std::string(name) +
             " is not part of the mask language; statements are assignments, def, if, for, assert, return and a final "
             "expression";
  return {};
}

void StatementParser::annotated(std::vector<Statement>& statements) {
  const Range begin = here();
  const std::string name(word());
  m_at += 2;
  skip_annotation({});
  if (at_newline()) return;
  if (!expect("=", "after the annotation")) return;
  statements.push_back({.kind = StatementKind::assign, .range = begin, .targets = {name}, .value = list()});
}

void StatementParser::assignment_or_expression(std::vector<Statement>& statements) {
  const Range begin = here();
  ExpressionId value = list();
  std::vector<Statement> targets;
  while (!failed() && is_word("=")) {
    if (at(value).kind == ExpressionKind::index) {
      ++m_at;
      const ExpressionId place = std::exchange(value, list());
      if (!failed()) statements.push_back(written_to(place, value, begin));
      return;
    }
    Statement target{.kind = StatementKind::assign, .range = begin};
    if (!read_targets(value, target)) return;
    ++m_at;
    targets.push_back(std::move(target));
    value = list();
  }
  if (!failed() && token().kind == Kind::symbol && word().size() >= 2 && word().ends_with("=") &&
      !is_comparison(word()) && word() != ":=") {
    augmented(statements, begin, value);
    return;
  }
  if (!failed() && is_word(":="))
    return void(fail(here(), ":= is not part of the mask language; assign on a line of its own"));
  if (failed()) return;
  for (Statement& target : targets) {
    target.value = value;
    statements.push_back(std::move(target));
  }
  if (targets.empty()) statements.push_back({.range = begin, .value = value});
}

void StatementParser::augmented(std::vector<Statement>& statements, Range begin, ExpressionId target) {
  const Range symbol = here();
  const std::string operation(word().substr(0, word().size() - 1));
  const bool is_place = at(target).kind == ExpressionKind::index;
  if (at(target).kind != ExpressionKind::name && !is_place) return void(fail(begin, "only a name can be assigned to"));
  if (binding_of(operation) == Binding::loosest) return void(fail(symbol, missing_operator(operation + "=")));
  ++m_at;
  const std::string name = at(target).name;
  const ExpressionId value = list();
  if (failed()) return;
  const ExpressionId result = add({.kind = ExpressionKind::binary,
                                   .range = {begin.begin, at(value).outer.end},
                                   .name = operation,
                                   .operands = {target, value}});
  if (failed()) return;
  if (is_place) return statements.push_back(written_to(target, result, begin));
  statements.push_back({.kind = StatementKind::assign, .range = begin, .targets = {name}, .value = result});
}

Statement StatementParser::written_to(ExpressionId place, ExpressionId value, Range begin) const {
  ExpressionId base = place;
  while (at(base).kind == ExpressionKind::index || at(base).kind == ExpressionKind::attribute)
    base = at(base).operands[0];
  return {.kind = StatementKind::write, .range = begin, .targets = {at(base).name}, .place = place, .value = value};
}

bool StatementParser::read_targets(ExpressionId value, Statement& statement) {
  const Expression& left = at(value);
  statement.unpacks = left.kind == ExpressionKind::tuple;
  const std::vector<ExpressionId> all = statement.unpacks ? left.operands : std::vector<ExpressionId>{value};
  if (all.empty()) {
    fail(left.range, "there is no name to assign to between these parentheses");
    return false;
  }
  for (const ExpressionId id : all) {
    if (at(id).kind == ExpressionKind::attribute && at(at(id).operands[0]).kind == ExpressionKind::name) {
      statement.targets.push_back(at(at(id).operands[0]).name + "." + at(id).name);  // self.window
      continue;
    }
    if (at(id).kind != ExpressionKind::name) {
      fail(at(id).range, "only names can be assigned to, found " + shortened(slice(at(id).range)));
      return false;
    }
    statement.targets.push_back(at(id).name);
  }
  return true;
}

void StatementParser::define(std::vector<Statement>& statements) {
  const Range begin = here();
  ++m_at;
  Function function;
  function.range = here();
  function.name = std::string(word());
  if (!is_name()) return void(fail(here(), "expected a name after def, found " + found()));
  ++m_at;
  const Range opened = here();
  if (!expect("(", "after the name of the function")) return;
  function.parameters = parameters(")", true);
  if (failed()) return;
  close(")", opened);
  if (accept("->")) skip_annotation(":");
  if (!expect(":", "after the parameters")) return;
  function.body = body(function.range, shortened(function.name), indentation_of(m_text, begin.begin));
  if (failed()) return;
  statements.push_back({.kind = StatementKind::define,
                        .range = begin,
                        .function = static_cast<std::int32_t>(syntax().functions.size())});
  syntax().functions.push_back(std::move(function));
}

std::vector<Statement> StatementParser::body(Range place, const std::string& owner, Index outer) {
  if (!at_newline()) {
    std::vector<Statement> statements;
    line(statements);
    return statements;
  }
  skip_newlines();
  const Index inner = at_end() ? outer : column_of(m_text, here().begin);
  if (inner > outer || failed()) return block(inner);
  fail(place, "the body of " + owner + " is missing");
  return {};
}

}  // namespace vqscope::language
