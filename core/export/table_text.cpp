// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/table_text.h"

#include "core/base/text.h"
#include "core/export/csv.h"
#include "core/export/markdown_text.h"

#include <algorithm>
#include <array>

namespace vqscope {
namespace {

using Row = std::vector<std::string>;

/// On one line, without blanks at its ends or several in a row.
std::string on_one_line(std::string_view text) {
  std::string line;
  bool is_blank = true;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank) line += c;
    if (blank && !is_blank) line += ' ';
    is_blank = blank;
  }
  if (line.ends_with(' ')) line.pop_back();
  return line;
}

/// A negative number is no item of a list.
std::string markdown_cell(const std::string& text) {
  return parse_real(text) ? text : markdown_text(on_one_line(text));
}

std::string latex_cell(std::string_view text) {
  std::string cell;
  for (const char c : on_one_line(text)) {
    switch (c) {
      case '&':
      case '%':
      case '$':
      case '#':
      case '_':
      case '{':
      case '}': cell += {'\\', c}; break;
      case '~': cell += "\\textasciitilde{}"; break;
      case '^': cell += "\\textasciicircum{}"; break;
      case '\\': cell += "\\textbackslash{}"; break;
      default: cell += c;
    }
  }
  return cell;
}

/// A negative number is no formula.
std::string csv_cell(const std::string& text) { return parse_real(text) ? text : csv_text(text); }

template <class Cell>
std::string line_of(const Row& row, std::string_view between, const Cell& cell) {
  std::string line;
  for (std::size_t i = 0; i < row.size(); ++i) line += (i == 0 ? std::string() : std::string(between)) + cell(row[i]);
  return line;
}

/// The title, if there is one, and the rows, each as a line.
template <class Cell>
std::string lines_of(const TextTable& table, std::string_view between, const Cell& cell) {
  std::string text;
  if (!table.titles.empty()) text += line_of(table.titles, between, cell) + "\n";
  for (const Row& row : table.rows) text += line_of(row, between, cell) + "\n";
  return text;
}

std::size_t columns_of(const TextTable& table) {
  std::size_t columns = table.titles.size();
  for (const Row& row : table.rows) columns = std::max(columns, row.size());
  return columns;
}

/// Whether a column has numbers and nothing else.
bool is_numeric(const TextTable& table, std::size_t column) {
  bool any = false;
  for (const Row& row : table.rows) {
    if (column >= row.size() || trimmed(row[column]).empty()) continue;
    if (!parse_real(trimmed(row[column]))) return false;
    any = true;
  }
  return any;
}

std::string markdown(const TextTable& table) {
  const std::size_t columns = columns_of(table);
  const auto line = [&](const Row& row) {
    std::string text = "|";
    for (std::size_t i = 0; i < columns; ++i) text += " " + (i < row.size() ? markdown_cell(row[i]) : "") + " |";
    return text + "\n";
  };
  std::string text = line(table.titles) + "|";
  for (std::size_t i = 0; i < columns; ++i) text += is_numeric(table, i) ? " ---: |" : " --- |";
  text += "\n";
  for (const Row& row : table.rows) text += line(row);
  return text;
}

std::string latex(const TextTable& table) {
  std::string columns;
  for (std::size_t i = 0; i < columns_of(table); ++i) columns += is_numeric(table, i) ? 'r' : 'l';
  std::string text = "\\begin{tabular}{" + columns + "}\n\\toprule\n";
  if (!table.titles.empty()) text += line_of(table.titles, " & ", latex_cell) + " \\\\\n\\midrule\n";
  for (const Row& row : table.rows) text += line_of(row, " & ", latex_cell) + " \\\\\n";
  return text + "\\bottomrule\n\\end{tabular}\n";
}

}  // namespace

std::span<const TableFormatName> table_formats() {
  static constexpr std::array<TableFormatName, 3> all{
      {{TableFormat::markdown, "Markdown"}, {TableFormat::latex, "LaTeX"}, {TableFormat::csv, "CSV"}}};
  return all;
}

std::string table_text(const TextTable& table, TableFormat format) {
  switch (format) {
    case TableFormat::tabs: {
      std::string text = lines_of(table, "\t", on_one_line);
      if (!text.empty()) text.pop_back();
      return text;
    }
    case TableFormat::csv: return lines_of(table, ",", csv_cell);
    case TableFormat::markdown: return markdown(table);
    case TableFormat::latex: return latex(table);
  }
  return {};
}

}  // namespace vqscope
