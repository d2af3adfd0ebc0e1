// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/parse/source_tokens.h"

#include "core/mask/language/names/known_names.h"
#include "core/mask/language/parse/operators.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string>

namespace vqscope {
namespace {

using Kind = SourceTokenKind;

constexpr std::array keywords{
    std::string_view("and"),      std::string_view("as"),     std::string_view("assert"),  std::string_view("async"),
    std::string_view("await"),    std::string_view("break"),  std::string_view("class"),   std::string_view("continue"),
    std::string_view("def"),      std::string_view("del"),    std::string_view("elif"),    std::string_view("else"),
    std::string_view("except"),   std::string_view("False"),  std::string_view("finally"), std::string_view("for"),
    std::string_view("from"),     std::string_view("global"), std::string_view("if"),      std::string_view("import"),
    std::string_view("in"),       std::string_view("is"),     std::string_view("lambda"),  std::string_view("None"),
    std::string_view("nonlocal"), std::string_view("not"),    std::string_view("or"),      std::string_view("pass"),
    std::string_view("raise"),    std::string_view("return"), std::string_view("True"),    std::string_view("try"),
    std::string_view("while"),    std::string_view("with"),   std::string_view("yield")};

/// Symbols of several characters, longest first: operators, their assignments, and symbols of the
/// syntax.
const std::vector<std::string>& long_symbols() {
  static const auto all = [] {
    std::vector<std::string> made{"...", "->", ":=", "@="};
    for (const language::Operator& row : language::operators()) {
      if (row.symbol.size() > 1) made.emplace_back(row.symbol);
      if (row.binding > language::Binding::comparison) made.push_back(std::string(row.symbol) + "=");
    }
    std::ranges::stable_sort(made, std::greater<>(), &std::string::size);
    return made;
  }();
  return all;
}

bool is_symbol(char c) {
  return std::string_view("~()[]{},:.=@").find(c) != std::string_view::npos ||
         language::operator_of(std::string_view(&c, 1)) != nullptr;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool in_name(char c) { return starts_name(c) || is_digit(c); }

class Scanner {
 public:
  explicit Scanner(std::string_view text) : m_text(text) {}

  std::vector<SourceToken> scan() {
    while (m_at < m_text.size()) next();
    return std::move(m_tokens);
  }

 private:
  char peek(std::size_t ahead = 0) const { return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0'; }

  template <class In>
  std::size_t end_of(std::size_t from, const In& in) const {
    while (from < m_text.size() && in(m_text[from])) ++from;
    return from;
  }

  void append(Kind kind, std::size_t end) {
    m_tokens.push_back({kind, {static_cast<Index>(m_at), static_cast<Index>(end)}});
    m_at = end;
  }

  void next() {
    const char c = peek();
    if (c == ' ' || c == '\t' || c == '\r' || c == '\f')
      ++m_at;
    else if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n')))
      m_at += peek(1) == '\n' ? 2 : 3;
    else if (c == '\n' || c == ';')
      line_end();
    else if (c == '#')
      append(Kind::comment, std::min(m_text.find('\n', m_at), m_text.size()));
    else if (const auto quote = quote_ahead(); quote < m_text.size())
      string(quote);
    else if (starts_name(c))
      name();
    else if (is_digit(c) || (c == '.' && is_digit(peek(1))))
      append(Kind::number, end_of_number());
    else
      symbol();
  }

  /// The sign of an exponent belongs to the number: 1e-9.
  std::size_t end_of_number() const {
    const auto in_number = [](char d) { return in_name(d) || d == '.'; };
    const auto end = end_of(m_at, in_number);
    const char last = m_text[end - 1], sign = end < m_text.size() ? m_text[end] : '\0';
    const bool has_exponent = (last == 'e' || last == 'E') && (sign == '-' || sign == '+') && peek(1) != 'x';
    return has_exponent ? end_of(end + 1, in_number) : end;
  }

  void line_end() {
    if (m_depth > 0 && peek() == '\n')
      ++m_at;
    else
      append(Kind::newline, m_at + 1);
  }

  /// Position of the quote of a string that starts here; the end of the text: no string starts
  /// here.
  std::size_t quote_ahead() const {
    const auto is_prefix = [](char c) { return std::string_view("rRbBfFuU").find(c) != std::string_view::npos; };
    const auto end = std::min(end_of(m_at, is_prefix), m_at + 2);
    return end < m_text.size() && (m_text[end] == '"' || m_text[end] == '\'') ? end : m_text.size();
  }

  void string(std::size_t quote) {
    const std::string_view three = m_text.substr(quote, 3);
    const bool is_long = three.size() == 3 && three[1] == three[0] && three[2] == three[0];
    const std::string_view close = is_long ? three : three.substr(0, 1);
    std::size_t end = quote + close.size();
    while (end < m_text.size() && m_text.substr(end, close.size()) != close && (is_long || m_text[end] != '\n'))
      end += m_text[end] == '\\' ? 2 : 1;
    const bool closed = end < m_text.size() && m_text[end] != '\n';
    append(Kind::string, closed ? end + close.size() : std::min(end, m_text.size()));
  }

  /// Whether a word is a function that is called here, or a module of functions.
  bool is_function_ahead(std::string_view word, std::size_t end) const {
    const auto next = m_text.find_first_not_of(" \t", end);
    const bool is_called = next != std::string_view::npos && m_text[next] == '(';
    return language::is_module(word) || (is_called && std::ranges::binary_search(language::known_functions(), word));
  }

  void name() {
    const auto end = end_of(m_at, in_name);
    const auto word = m_text.substr(m_at, end - m_at);
    const auto is_in = [&](const auto& words) { return std::ranges::find(words, word) != std::ranges::end(words); };
    append(is_in(keywords)                      ? Kind::keyword
           : is_in(language::known_variables()) ? Kind::variable
           : is_function_ahead(word, end)       ? Kind::function
                                                : Kind::name,
           end);
  }

  void symbol() {
    const auto rest = m_text.substr(m_at);
    for (const std::string& candidate : long_symbols())
      if (rest.starts_with(candidate)) return append(Kind::symbol, m_at + candidate.size());
    const char c = rest.front();
    if (c == '(' || c == '[' || c == '{') ++m_depth;
    if ((c == ')' || c == ']' || c == '}') && m_depth > 0) --m_depth;
    if (is_symbol(c)) return append(Kind::symbol, m_at + 1);
    // All bytes of one character.
    append(Kind::unknown, end_of(m_at + 1, [](char b) { return (static_cast<unsigned char>(b) & 0xC0U) == 0x80U; }));
  }

  std::string_view m_text;
  std::size_t m_at = 0;
  int m_depth = 0;
  std::vector<SourceToken> m_tokens;
};

}  // namespace

std::vector<SourceToken> tokens(std::string_view text) { return Scanner(text).scan(); }

}  // namespace vqscope
