// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/tensor/tensor_use.h"
#include "core/io/torch/number_list.h"

#include <functional>
#include <span>
#include <string_view>

namespace vqscope {

/// The lines of a table of numbers, cell by cell. A first line that does not begin with a number is
/// a header; after the header cell `query\key`, or an empty one, so is the first column.
class CsvTable {
 public:
  explicit CsvTable(std::string_view text);

  /// Calls visit(row, values); every line has as many cells as the first.
  Result<void> each(const std::function<Result<void>(Index, std::span<const double>)>& visit) const;

 private:
  template <class Visit>
  void for_each_line(const Visit& visit) const;
  std::string_view cell(std::string_view& line) const;
  Result<void> parse(Index number_of_line, std::string_view line, std::vector<double>& values) const;

  std::string_view m_text;
  char m_separator = ' ';
  bool m_header = false;
  bool m_index_column = false;
};

/// A table as an array: int64 if its cells are whole numbers and `use` takes them, else float64. One
/// row or one column has one dimension.
Result<NumberList> read_csv_array(const ByteSource& file, TensorUse use);

}  // namespace vqscope
