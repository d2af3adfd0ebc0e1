// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/markdown_text.h"

#include "core/export/plain_characters.h"

namespace vqscope {
namespace {

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

bool begins_tag(char after) { return is_word(after) || after == '/' || after == '!' || after == '?'; }

/// Whether a character between these two is markup; what is not stays readable: q_idx, a < b.
bool is_markup(char c, char before, char after) {
  switch (c) {
    case '\\':
    case '`':
    case '*':
    case '[':
    case ']':
    case '|':
    case '~': return true;
    case '_': return !is_word(before) || !is_word(after);
    case '!': return after == '[';
    case '#':
    case '>':
    case '-':
    case '+': return before == '\0';
    default: return false;
  }
}

}  // namespace

std::string markdown_text(std::string_view text) {
  const std::string plain = plain_characters(text);
  std::string line;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const char c = plain[i];
    const char before = i == 0 ? '\0' : plain[i - 1];
    const char after = i + 1 < plain.size() ? plain[i + 1] : '\0';
    if (c == '\n' || c == '\t')
      line += ' ';
    else if (c == '<' && begins_tag(after))
      line += "&lt;";
    else if (c == '&' && (is_word(after) || after == '#'))
      line += "&amp;";
    else if (is_markup(c, before, after))
      (line += '\\') += c;
    else
      line += c;
  }
  return line;
}

}  // namespace vqscope
