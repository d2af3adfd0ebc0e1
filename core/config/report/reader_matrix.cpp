// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/report/reader_matrix.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope {
namespace {

/// The number of characters of a UTF-8 text.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width > width_of(text) ? width - width_of(text) : 0, ' ');
}

std::string fact_text(const ReaderRow& row) { return row.layers.empty() ? row.fact : row.fact + " of " + row.layers; }

std::string cell_text(const ReaderCell& cell) { return cell.differs ? cell.value + " *" : cell.value; }

}  // namespace

std::string readers_text(const ReaderMatrix& matrix) {
  if (matrix.rows.empty()) return {};
  std::vector<std::string> titles{""};
  titles.insert(titles.end(), matrix.readers.begin(), matrix.readers.end());
  std::vector<std::size_t> widths(titles.size(), 0);
  std::vector<std::vector<std::string>> lines{std::move(titles)};
  for (const auto& row : matrix.rows) {
    auto& line = lines.emplace_back(std::vector<std::string>{fact_text(row)});
    for (const auto& cell : row.cells) line.push_back(cell_text(cell));
  }
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], width_of(line[i]));
  std::string text = "\nWhat each library uses (* differs from what the config means)\n";
  for (const auto& line : lines) {
    std::string one = " ";
    for (std::size_t i = 0; i < line.size(); ++i) one += " " + padded(line[i], i + 1 < line.size() ? widths[i] + 1 : 0);
    text += one.substr(0, one.find_last_not_of(' ') + 1) + "\n";
  }
  for (const auto& row : matrix.rows)
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      if (row.cells[i].differs)
        text += fmt::format("  {}, {}: {}\n", matrix.readers[i], fact_text(row), row.cells[i].consequence);
  return text;
}

}  // namespace vqscope
