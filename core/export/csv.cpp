// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/csv.h"

#include "core/export/block_reader.h"
#include "core/io/bytes/number_text.h"

namespace vqscope {
namespace {

/// `query\key`, or the names of the rows and columns.
std::string corner_of(const Numbers& numbers) {
  const auto& recipe = *numbers.method->field();
  return recipe.row_name + "\\" + (recipe.col_name ? recipe.col_name(numbers.values) : "key");
}

/// Writes the column indices in pieces too, as there is one for each column of the matrix.
Result<void> write_header(const std::string& corner, const Range& cols, ByteSink& sink, TextBuffer& text,
                          const std::stop_token& stop) {
  text.append(corner);
  for (Index col = cols.begin; col < cols.end; ++col) {
    text.append(',');
    text.append_number(col);
    if (!text.full()) continue;
    if (stop.stop_requested()) return cancelled();
    if (auto written = text.flush(sink); !written) return written;
  }
  text.append('\n');
  return {};
}

template <class T>
Result<void> write_row_lines(const Rect& block, std::span<const T> cells, const Range& all_cols, ByteSink& sink,
                             TextBuffer& text) {
  const T* cell = cells.data();
  for (Index row = block.rows.begin; row < block.rows.end; ++row) {
    if (block.cols.begin == all_cols.begin) text.append_number(row);
    for (Index col = block.cols.begin; col < block.cols.end; ++col) {
      text.append(',');
      text.append_number(*cell++);
      if (!text.full()) continue;
      if (auto written = text.flush(sink); !written) return written;
    }
    if (block.cols.end == all_cols.end) text.append('\n');
  }
  return {};
}

Result<void> write_block(const FieldBlock& source, const std::string& corner, ByteSink& sink, const Work& work) {
  TextBuffer text;
  const Range cols = source.cells.cols;
  if (auto written = write_header(corner, cols, sink, text, work.stop); !written) return written;
  auto written = read_blocks(
      source, work, [&](const Rect& block, auto cells) { return write_row_lines(block, cells, cols, sink, text); });
  return written ? text.flush(sink) : written;
}

Result<void> write_curve_lines(const CurveSet& set, ByteSink& sink, const Work& work) {
  TextBuffer text;
  text.append(csv_text(set.x_name));
  for (const auto& curve : set.curves) text.append("," + csv_text(curve.name));
  text.append('\n');
  for (std::size_t i = 0; i < set.x.size(); ++i) {
    if (set.x_names.empty())
      text.append_number(set.x[i]);
    else
      text.append(csv_text(set.x_names[i]));
    for (const auto& curve : set.curves) {
      text.append(',');
      text.append_number(curve.y[i]);
    }
    text.append('\n');
    if (!text.full()) continue;
    if (work.stop.stop_requested()) return cancelled();
    if (auto written = text.flush(sink); !written) return written;
  }
  return text.flush(sink);
}

double curve_bytes(const CurveSet& set) {
  double names = static_cast<double>(csv_text(set.x_name).size()) + 1;
  for (const auto& curve : set.curves) names += static_cast<double>(csv_text(curve.name).size()) + 1;
  for (const auto& name : set.x_names) names += static_cast<double>(csv_text(name).size());
  return names + static_cast<double>(set.x.size()) * columns_of(set) * (double_chars + 1);
}

}  // namespace

Result<void> write_csv(const Numbers& numbers, ByteSink& sink, const Work& work) {
  if (const auto* set = numbers.curves()) return write_curve_lines(*set, sink, work);
  return write_block(*numbers.block(), corner_of(numbers), sink, work);
}

double csv_bytes(const Numbers& numbers) {
  if (const auto* set = numbers.curves()) return curve_bytes(*set);
  const FieldBlock& block = *numbers.block();
  const double header =
      static_cast<double>(corner_of(numbers).size()) + 1 + cols_of(block) * (index_chars(block.cells.cols) + 1);
  const double row = index_chars(block.cells.rows) + 1 + cols_of(block) * (cell_chars(*block.field) + 1);
  return header + rows_of(block) * row;
}

std::string csv_text(std::string_view text) {
  std::string cell(text);
  if (!cell.empty() && std::string_view("=+-@\t\r").find(cell[0]) != std::string_view::npos) cell.insert(0, "'");
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace vqscope
