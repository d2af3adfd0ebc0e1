// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/kind/text_kind.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace vqscope {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view blanks = " \t\r\n\f";

bool is_control(char c) {
  const auto code = static_cast<unsigned char>(c);
  return (code < ' ' && (blanks.find(c) == std::string_view::npos && code != 0x1b)) || code == 0x7f;
}

std::string_view without_blanks(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return text.substr(std::min(text.find_first_not_of(blanks), text.size()));
}

bool is_html(std::string_view text) {
  if (!text.starts_with('<')) return false;
  const std::string begin = lower_case(text.substr(0, 1024));
  return std::ranges::any_of(std::array{"<!doctype html", "<html", "<head", "<body", "<title"},
                             [&](const char* tag) { return begin.find(tag) != std::string::npos; });
}

bool is_json(std::string_view text, std::string_view suffix) {
  if (text.starts_with('[')) return suffix == "json";
  if (!text.starts_with('{')) return false;
  const auto inside = without_blanks(text.substr(1));
  return inside.starts_with('"') || inside.starts_with('}');
}

bool is_cell(std::string_view text) {
  const std::string lower = lower_case(text);
  return lower == "true" || lower == "false" || parse_real(text).has_value();
}

/// Cells between commas, semicolons, tabs or blanks; at least `least` of them.
bool is_row(std::string_view line, std::size_t least) {
  std::size_t cells = 0;
  for (std::size_t at = 0; at < line.size();) {
    const auto begin = line.find_first_not_of(",; \t\r", at);
    if (begin == std::string_view::npos) break;
    at = std::min(line.find_first_of(",; \t\r", begin), line.size());
    if (at == line.size() && cells >= least) break;  // the last one may be cut off
    if (!is_cell(line.substr(begin, at - begin))) return false;
    ++cells;
  }
  return cells >= least;
}

/// numpy.savetxt writes numbers; a text of the mask language never begins with one. A header stands
/// above a row of at least two numbers.
bool is_table(std::string_view text) {
  std::size_t seen = 0;
  for (std::size_t begin = 0; begin < text.size() && seen < 2;) {
    const auto end = std::min(text.find('\n', begin), text.size());
    const auto line = trimmed(text.substr(begin, end - begin));
    begin = end + 1;
    if (line.empty() || line.starts_with('#')) continue;
    if (seen == 0 && "0123456789+-."sv.find(line.front()) != std::string_view::npos) return true;
    if (is_row(line, 2)) return true;
    ++seen;
  }
  return false;
}

/// Under the name of a program: nothing but rows, perhaps below a header. The last line may be cut off.
bool is_only_table(std::string_view text) {
  std::size_t rows = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = text.find('\n', begin);
    const auto line = trimmed(text.substr(begin, end == std::string_view::npos ? end : end - begin));
    const bool is_header = begin == 0;
    begin = std::min(end, text.size() - 1) + 1;
    if (line.empty() || line.starts_with('#')) continue;
    if (is_row(line, 2))
      ++rows;
    else if (!is_header && !(end == std::string_view::npos && rows > 1))
      return false;
  }
  return rows > 1;
}

}  // namespace

bool is_text(std::string_view head, bool is_cut, std::string_view suffix) {
  if (std::ranges::any_of(head, is_control)) return false;
  if (std::ranges::count(std::array{"py"sv, "txt"sv, "csv"sv, "tsv"sv}, suffix) > 0) return true;
  constexpr std::size_t longest_sequence = 4;
  while (!head.empty()) {
    const std::size_t bytes = utf8_sequence(head);
    if (bytes == 0) return is_cut && head.size() < longest_sequence;
    head.remove_prefix(bytes);
  }
  return true;
}

KnownFile text_kind(std::string_view head, std::string_view suffix) {
  const auto text = without_blanks(head);
  if (is_html(text)) return {FileKind::unread, "an HTML page"};
  if (text.starts_with("<?xml") || text.starts_with("<svg")) return {FileKind::unread, "an XML text"};
  if (is_json(text, suffix)) return {FileKind::json, "a JSON text"};
  if (text.empty()) return {suffix == "py" ? FileKind::text : FileKind::unread, "a text of blanks only"};
  if (suffix == "csv" || suffix == "tsv") return {FileKind::csv, "a table of numbers"};
  if (suffix == "py" ? is_only_table(text) : is_table(text)) return {FileKind::csv, "a table of numbers"};
  return {FileKind::text, "a text"};
}

}  // namespace vqscope
