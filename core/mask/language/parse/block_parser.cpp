// SPDX-License-Identifier: GPL-3.0-or-later
// Statements that hold others: if, for, and what is passed over whole.
#include "core/base/text.h"
#include "core/mask/language/names/known_names.h"
#include "core/mask/language/parse/indentation.h"
#include "core/mask/language/parse/statement_parser.h"

namespace vqscope::language {

using Kind = SourceTokenKind;

void StatementParser::conditional(std::vector<Statement>& statements, Index outer) {
  const Range begin = here();
  const std::string owner(word());
  ++m_at;
  Statement chosen{.kind = StatementKind::choose, .range = begin, .value = expression(Binding::ternary)};
  if (failed() || !expect(":", "after the condition")) return;
  chosen.body = body(begin, owner, outer);
  const std::size_t end = m_at;
  skip_newlines();
  const bool continued = !failed() && !at_end() && column_of(m_text, here().begin) == outer;
  if (continued && is_word("elif")) {
    enter();
    conditional(chosen.otherwise, outer);
    leave();
  } else if (continued && is_word("else")) {
    const Range place = here();
    ++m_at;
    if (!expect(":", "after else")) return;
    chosen.otherwise = body(place, "else", outer);
  } else if (!failed()) {
    m_at = end;
  }
  if (!failed()) statements.push_back(std::move(chosen));
}

void StatementParser::loop(std::vector<Statement>& statements) {
  const Range begin = here();
  ++m_at;
  Statement repeated{.kind = StatementKind::repeat, .range = begin};
  std::vector<ExpressionId> nested;
  repeated.unpacks = read_names(repeated.targets, nested);
  if (!failed() && repeated.targets.empty()) return void(fail(begin, "for takes names, found none"));
  if (failed() || !expect("in", "after the names of for")) return;
  repeated.value = list();
  if (failed() || !expect(":", "after what for goes through")) return;
  // for i, (a, b) in pairs: the pair is unpacked at the start of the body.
  for (const ExpressionId target : nested) {
    Statement unpacked{.kind = StatementKind::assign, .range = at(target).range};
    const std::string name(slice(at(target).range));
    if (!read_targets(target, unpacked)) return;
    unpacked.value = add({.kind = ExpressionKind::name, .range = at(target).range, .name = name});
    repeated.body.push_back(std::move(unpacked));
  }
  auto written = body(begin, "for", indentation_of(m_text, begin.begin));
  repeated.body.insert(repeated.body.end(), written.begin(), written.end());
  if (!failed()) statements.push_back(std::move(repeated));
}

void StatementParser::while_loop(std::vector<Statement>& statements) {
  const Range begin = here();
  ++m_at;
  Statement repeated{.kind = StatementKind::repeat, .range = begin, .value = expression(Binding::ternary)};
  if (failed() || !expect(":", "after the condition")) return;
  repeated.body = body(begin, "while", indentation_of(m_text, begin.begin));
  if (!failed()) statements.push_back(std::move(repeated));
}

void StatementParser::guarded_block(std::vector<Statement>& statements) {
  const std::size_t begin = m_at;
  const std::string advice = no_statement();
  std::vector<Statement> inner;
  if (read_guarded(inner)) {
    statements.insert(statements.end(), std::make_move_iterator(inner.begin()), std::make_move_iterator(inner.end()));
    return;
  }
  m_parsed.error.reset();
  m_at = begin;
  skip_statement(statements, advice);
}

bool StatementParser::read_guarded(std::vector<Statement>& statements) {
  const Range begin = here();
  const Index outer = indentation_of(m_text, begin.begin);
  const bool tries = is_word("try");
  for (int depth = 0; !at_newline() && (depth > 0 || !is_word(":")); ++m_at) {
    if (is_word("(") || is_word("[") || is_word("{")) ++depth;
    if (is_word(")") || is_word("]") || is_word("}")) --depth;
  }
  if (!expect(":", "at the end of the line")) return false;
  auto guarded = body(begin, tries ? "try" : "with", outer);
  if (!tries) {
    statements = std::move(guarded);
    return !failed();
  }
  Statement attempt{.kind = StatementKind::attempt, .range = begin, .body = std::move(guarded)};
  std::vector<Statement> after;
  for (std::size_t end = m_at; !failed(); end = m_at) {
    skip_newlines();
    const bool continued = !at_end() && column_of(m_text, here().begin) == outer;
    const std::string part(word());
    if (!continued || (part != "except" && part != "else" && part != "finally")) {
      m_at = end;
      break;
    }
    const Range place = here();
    while (!at_newline() && !is_word(":")) ++m_at;
    if (!expect(":", "at the end of the line")) return false;
    auto read = body(place, part, outer);
    if (part == "except" && attempt.otherwise.empty()) attempt.otherwise = std::move(read);
    if (part != "except") after.insert(after.end(), read.begin(), read.end());
  }
  statements.push_back(std::move(attempt));
  statements.insert(statements.end(), after.begin(), after.end());
  return !failed();
}

void StatementParser::class_of_fields(std::vector<Statement>& statements) {
  const std::size_t begin = m_at;
  const std::string advice = no_statement();
  if (read_fields(statements)) return;
  m_parsed.error.reset();
  m_at = begin;
  skip_statement(statements, advice);
}

bool StatementParser::read_fields(std::vector<Statement>& statements) {
  const Range begin = here();
  ++m_at;
  Function made{.name = std::string(word()), .range = here()};
  while (!at_newline() && !is_word(":")) ++m_at;
  if (!accept(":") || !at_newline()) return false;
  skip_newlines();
  const Index outer = indentation_of(m_text, begin.begin);
  Expression all{.kind = ExpressionKind::call,
                 .range = made.range,
                 .operands = {add({.kind = ExpressionKind::name, .range = made.range, .name = "SimpleNamespace"})}};
  for (; !at_end() && column_of(m_text, here().begin) > outer; skip_newlines()) {
    const bool is_comment = (token().kind == Kind::string && token(1).kind == Kind::newline) || is_word("pass");
    if (is_comment) {
      ++m_at;
      continue;
    }
    if (!is_name() || (!is_word(":", 1) && !is_word("=", 1))) return false;
    Parameter field{.name = std::string(word()), .range = here()};
    ++m_at;
    if (accept(":")) skip_annotation({});
    if (accept("=")) field.fallback = list();
    if (failed() || !at_newline()) return false;
    all.keywords.push_back(field.name);
    all.operands.push_back(add({.kind = ExpressionKind::name, .range = field.range, .name = field.name}));
    made.parameters.push_back(std::move(field));
  }
  if (made.parameters.empty()) return false;
  const ExpressionId value = add(std::move(all));
  if (failed()) return false;
  made.body.push_back({.kind = StatementKind::give_back, .range = made.range, .value = value});
  statements.push_back({.kind = StatementKind::define,
                        .range = begin,
                        .function = static_cast<std::int32_t>(syntax().functions.size())});
  syntax().functions.push_back(std::move(made));
  return true;
}

void StatementParser::assertion(std::vector<Statement>& statements) {
  const Range begin = here();
  ++m_at;
  const ExpressionId condition = expression(Binding::ternary);
  if (failed()) return;
  statements.push_back({.kind = StatementKind::require, .range = begin, .value = condition});
  if (is_word(",")) skip_line();
}

void StatementParser::skip_statement(std::vector<Statement>& statements, const std::string& advice) {
  const Range begin = here();
  const Index outer = indentation_of(m_text, begin.begin);
  Statement skipped{.kind = StatementKind::skipped, .range = begin, .advice = advice};
  const bool is_class = is_word("class");
  if (is_class && is_name(1)) skipped.targets.emplace_back(word(1));
  const auto skip_one = [&] {
    if (is_class) return skip_line();
    const bool changes = is_word("[", 1) || (is_word(".", 1) && changes_object(word(2)));
    if (is_name() && changes) skipped.targets.emplace_back(word());  // x[i] = y, x.append(y)
    for (; !at_newline(); ++m_at) {
      const bool defines = is_word("def") || is_word("class") || is_word("as");
      const bool is_changed = token(1).kind == Kind::symbol && word(1).ends_with("=") && !is_comparison(word(1));
      if (is_name() && is_changed) skipped.targets.emplace_back(word());
      if (defines && is_name(1)) skipped.targets.emplace_back(word(1));
    }
  };
  skip_one();
  // What is indented under it, and what Python continues it with.
  for (skip_newlines(); !at_end(); skip_newlines()) {
    const Index column = column_of(m_text, here().begin);
    const bool continued = column == outer && (is_word("except") || is_word("finally") || is_word("else"));
    if (column <= outer && !continued) break;
    skip_one();
  }
  statements.push_back(std::move(skipped));
}

}  // namespace vqscope::language
