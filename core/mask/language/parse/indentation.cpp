// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/parse/indentation.h"

namespace vqscope::language {
namespace {

std::size_t line_begin(std::string_view text, Index at) {
  return text.substr(0, static_cast<std::size_t>(at)).rfind('\n') + 1;
}

Index width_of(std::string_view part) {
  Index width = 0;
  for (const char c : part) width = c == '\t' ? (width / 8 + 1) * 8 : width + 1;
  return width;
}

}  // namespace

Index column_of(std::string_view text, Index at) {
  const std::size_t begin = line_begin(text, at);
  return width_of(text.substr(begin, static_cast<std::size_t>(at) - begin));
}

Index indentation_of(std::string_view text, Index at) {
  const std::string_view line = text.substr(line_begin(text, at));
  return width_of(line.substr(0, line.find_first_not_of(" \t")));
}

}  // namespace vqscope::language
