// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/parse/token_reader.h"

#include "core/base/text.h"

#include <algorithm>

namespace vqscope::language {

using Kind = SourceTokenKind;

TokenReader::TokenReader(std::string_view text) : m_text(text) {
  for (const SourceToken& token : tokens(text))
    if (token.kind != Kind::comment) m_tokens.push_back(token);
  const auto size = static_cast<Index>(text.size());
  m_tokens.push_back({Kind::newline, {size, size}});
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
  ++m_at;
  return true;
}

ExpressionId TokenReader::fail(Range range, std::string message) {
  if (!failed()) m_parsed.error = source_error(m_text, range, std::move(message));
  m_at = m_tokens.size() - 1;
  return no_expression;
}

std::string TokenReader::found() const {
  if (at_end()) return "the end of the text";
  if (at_newline()) return "the end of the line";
  return shortened(word(), 40);
}

bool TokenReader::expect(std::string_view wanted, std::string_view where) {
  if (accept(wanted)) return true;
  if (!failed()) fail(here(), "expected " + std::string(wanted) + " " + std::string(where) + ", found " + found());
  return false;
}

void TokenReader::close(std::string_view bracket, Range opened) {
  if (accept(bracket)) return;
  if (at_end())
    fail(opened, "nothing closes this " + std::string(slice(opened)));
  else
    fail(here(), "expected " + std::string(bracket) + " or an operator, found " + found());
}

void TokenReader::skip_newlines() {
  while (at_newline() && !at_end()) ++m_at;
}

void TokenReader::enter() {
  if (++m_nesting > max_nesting)
    fail(here(), "nested more than " + to_text(Index{max_nesting}) + " deep; give parts a name of their own");
}

}  // namespace vqscope::language
