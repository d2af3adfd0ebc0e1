// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/parse/source_error.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope {
namespace {

bool starts_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

Index characters(std::string_view text) { return std::ranges::count_if(text, starts_character); }

std::string_view line_from(std::string_view text, std::size_t begin) {
  const auto line = text.substr(begin, text.find('\n', begin) - begin);
  return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

std::string_view text_line(std::string_view text, Index number) {
  std::size_t begin = 0;
  for (Index i = 1; i < number; ++i) {
    const auto end = text.find('\n', begin);
    if (end == std::string_view::npos) return {};
    begin = end + 1;
  }
  return line_from(text, begin);
}

/// The padding before the caret: tabs stay tabs, so that the caret lines up at any tab width.
std::string indent_under(std::string_view line, Index column) {
  std::string indent;
  for (const char byte : line) {
    if (!starts_character(byte)) continue;
    if (static_cast<Index>(indent.size()) + 1 >= column) break;
    indent += byte == '\t' ? '\t' : ' ';
  }
  return indent;
}

/// The part of a long line around a column, and the column within that part.
std::pair<std::string_view, Index> around(std::string_view line, Index column) {
  constexpr Index most = 160;
  constexpr Index before = 60;
  if (characters(line) <= most) return {line, column};
  const Index from = std::max<Index>(column - before, 1);
  std::size_t begin = 0;
  for (Index at = 1; at < from && begin < line.size(); ++at) do
      ++begin;
    while (begin < line.size() && !starts_character(line[begin]));
  std::size_t end = begin;
  for (Index count = 0; count < most && end < line.size(); ++count) do
      ++end;
    while (end < line.size() && !starts_character(line[end]));
  return {line.substr(begin, end - begin), column - from + 1};
}

/// Limits how much of a text a sentence quotes.
std::string capped(std::string message) {
  constexpr std::size_t most = 320;
  return message.size() <= most ? std::move(message) : shortened(message, most);
}

std::size_t line_begin(std::string_view text, Index at) {
  return text.substr(0, static_cast<std::size_t>(at)).rfind('\n') + 1;
}

Index width_of(std::string_view part) {
  Index width = 0;
  for (const char c : part) width = c == '\t' ? (width / 8 + 1) * 8 : width + 1;
  return width;
}

}  // namespace

SourceError source_error(std::string_view text, Range range, std::string message) {
  const auto begin = std::min(static_cast<std::size_t>(range.begin), text.size());
  const auto before = text.substr(0, begin);
  const auto line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto rest = line_from(text, begin);
  const auto size = std::min(static_cast<std::size_t>(std::max<Index>(range.size(), 1)), rest.size());
  return {std::ranges::count(before, '\n') + 1, characters(before.substr(line_begin)) + 1,
          std::max<Index>(characters(rest.substr(0, size)), 1), capped(std::move(message))};
}

std::string render(const SourceError& error, std::string_view text) {
  const auto line = text_line(text, error.line);
  const auto [shown, column] = around(line, error.column);
  const Index length = std::min(error.length, std::max<Index>(characters(shown) - column + 1, 1));
  return fmt::format("line {}, column {}: {}\n{}\n{}{}", error.line, error.column, error.message, shown,
                     indent_under(shown, column), std::string(static_cast<std::size_t>(length), '^'));
}

Index column_of(std::string_view text, Index at) {
  const std::size_t begin = line_begin(text, at);
  return width_of(text.substr(begin, static_cast<std::size_t>(at) - begin));
}

Index indentation_of(std::string_view text, Index at) {
  const std::string_view line = text.substr(line_begin(text, at));
  return width_of(line.substr(0, line.find_first_not_of(" \t")));
}

}  // namespace vqscope
