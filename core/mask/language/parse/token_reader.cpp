// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/parse/token_reader.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope::language {

using Kind = SourceTokenKind;

TokenReader::TokenReader(std::string_view of) : text(of) {
  for (const SourceToken& one : vqscope::tokens(of))
    if (one.kind != Kind::comment) tokens.push_back(one);
  const auto size = static_cast<Index>(of.size());
  tokens.push_back({Kind::newline, {size, size}});
}

bool TokenReader::is_word(std::string_view wanted, std::size_t ahead) const {
  const Kind kind = token(ahead).kind;
  return kind != Kind::string && kind != Kind::newline && word(ahead) == wanted;
}

bool TokenReader::is_name(std::size_t ahead) const {
  const Kind kind = token(ahead).kind;
  return kind == Kind::name || kind == Kind::variable || kind == Kind::function;
}

bool TokenReader::accept(std::string_view wanted) {
  if (!is_word(wanted)) return false;
  ++next;
  return true;
}

ExpressionId TokenReader::fail(Range range, std::string message) {
  if (!failed()) parsed.error = source_error(text, range, std::move(message));
  next = tokens.size() - 1;
  return no_expression;
}

std::string TokenReader::found() const {
  if (at_end()) return "the end of the text";
  if (at_newline()) return "the end of the line";
  return shortened(word(), 40);
}

bool TokenReader::expect(std::string_view wanted, std::string_view where) {
  if (accept(wanted)) return true;
  if (!failed()) fail(here(), fmt::format("expected {} {}, found {}", wanted, where, found()));
  return false;
}

bool TokenReader::begins_line_beside(Range before) const {
  const auto line_of = [this](Index at) {
    const std::size_t end = at > 0 ? text.rfind('\n', static_cast<std::size_t>(at) - 1) : std::string_view::npos;
    return end == std::string_view::npos ? 0 : end + 1;
  };
  const std::size_t line = line_of(here().begin), line_before = line_of(before.begin);
  const std::size_t first = text.find_first_not_of(" \t", line),
                    first_before = text.find_first_not_of(" \t", line_before);
  return line > line_before && first == static_cast<std::size_t>(here().begin) &&
         first - line <= first_before - line_before;
}

void TokenReader::close(std::string_view bracket, Range opened) {
  if (accept(bracket)) return;
  if (at_end() || begins_line_beside(opened))
    fail(opened, "nothing closes this " + std::string(slice(opened)));
  else
    fail(here(), fmt::format("expected {} or an operator, found {}", bracket, found()));
}

void TokenReader::skip_newlines() {
  while (at_newline() && !at_end()) ++next;
}

void TokenReader::enter() {
  if (++m_nesting > max_nesting)
    fail(here(), fmt::format("nested more than {} deep; give parts their own name", max_nesting));
}

ExpressionId TokenReader::add(Expression expression) {
  if (failed()) return no_expression;
  for (const ExpressionId id : expression.operands) expression.depth = std::max(expression.depth, at(id).depth + 1);
  if (expression.depth > max_depth)
    return fail(expression.range,
                fmt::format("more than {} operators are nested; give parts their own name", max_depth));
  expression.outer = expression.range;
  syntax().expressions.push_back(std::move(expression));
  return static_cast<ExpressionId>(syntax().expressions.size()) - 1;
}

}  // namespace vqscope::language
