// SPDX-License-Identifier: GPL-3.0-or-later
// A table of texts in the forms in which other programs paste it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

struct TextTable {
  std::vector<std::string> titles;             ///< empty: the rows have none
  std::vector<std::vector<std::string>> rows;  ///< cells by column
};

/// tabs: one line a row, as spreadsheets paste it. markdown, latex: columns of numbers stand at the
/// right; latex needs the package booktabs. csv: RFC 4180.
enum class TableFormat { tabs, markdown, latex, csv };

struct TableFormatName {
  TableFormat format;
  std::string_view title;  ///< "Markdown"
};
/// Those beside tabs.
std::span<const TableFormatName> table_formats();

std::string table_text(const TextTable& table, TableFormat format);

}  // namespace vqscope
