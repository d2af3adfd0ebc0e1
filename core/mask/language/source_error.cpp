// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/source_error.h"

#include "core/base/text.h"

#include <algorithm>

namespace vqscope {
namespace {

bool starts_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

Index characters(std::string_view text) { return std::ranges::count_if(text, starts_character); }

std::string_view line_from(std::string_view text, std::size_t begin) {
  const auto line = text.substr(begin, text.find('\n', begin) - begin);
  return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

std::string_view line_of(std::string_view text, Index number) {
  std::size_t begin = 0;
  for (Index i = 1; i < number; ++i) {
    const auto end = text.find('\n', begin);
    if (end == std::string_view::npos) return {};
    begin = end + 1;
  }
  return line_from(text, begin);
}

/// What stands under the characters before the caret: tabs stay tabs, so the caret lines up whatever they are worth.
std::string indent_under(std::string_view line, Index column) {
  std::string indent;
  for (const char byte : line) {
    if (!starts_character(byte)) continue;
    if (static_cast<Index>(indent.size()) + 1 >= column) break;
    indent += byte == '\t' ? '\t' : ' ';
  }
  return indent;
}

}  // namespace

SourceError source_error(std::string_view text, Range range, std::string message) {
  const auto begin = std::min(static_cast<std::size_t>(range.begin), text.size());
  const auto before = text.substr(0, begin);
  const auto line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto rest = line_from(text, begin);
  const auto size = std::min(static_cast<std::size_t>(std::max<Index>(range.size(), 1)), rest.size());
  return {std::ranges::count(before, '\n') + 1, characters(before.substr(line_begin)) + 1,
          std::max<Index>(characters(rest.substr(0, size)), 1), std::move(message)};
}

std::string render(const SourceError& error, std::string_view text) {
  const auto line = line_of(text, error.line);
  return "line " + to_text(error.line) + ", column " + to_text(error.column) + ": " + error.message + "\n" +
         std::string(line) + "\n" + indent_under(line, error.column) +
         std::string(static_cast<std::size_t>(error.length), '^');
}

}  // namespace vqscope
