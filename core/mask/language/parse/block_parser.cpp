// SPDX-License-Identifier: GPL-3.0-or-later
// Statements that hold others: if, for, and what is passed over whole.
#include "core/base/text.h"
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
  const auto skip_one = [&] {
    for (; !at_newline(); ++m_at) {
      const bool defines = is_word("def") || is_word("class") || is_word("as");
      if (is_name() && is_word("=", 1)) skipped.targets.emplace_back(word());
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
