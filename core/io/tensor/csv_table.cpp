// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tensor/csv_table.h"

#include "core/base/sentence.h"
#include "core/io/bytes/part_source.h"

#include <array>
#include <cmath>

namespace vqscope {
namespace {

constexpr std::uint64_t largest_table = std::uint64_t{1} << 28;
constexpr double exact_whole = 9007199254740992.0;  // 2^53

std::optional<double> number_in(std::string_view text) {
  for (const bool value : {true, false})
    for (const char* word : value ? std::array{"true", "True", "TRUE"} : std::array{"false", "False", "FALSE"})
      if (text == word) return value ? 1 : 0;
  return parse_real(text);
}

Error bad_cell(Index line, Index column, std::string_view text) {
  return invalid("line {}, column {}: {}, expected a number", line, column,
                 text.empty() ? "the cell is empty" : "\"" + shortened(text, 40) + "\"");
}

std::string_view trimmed_end(std::string_view line) {
  return line.substr(0, std::min(line.find_last_not_of('\r') + 1, line.size()));
}

template <class T>
std::string table_bytes(std::span<const double> values) {
  std::string bytes;
  bytes.reserve(values.size() * sizeof(T));
  for (const double value : values) {
    const auto number = static_cast<T>(value);
    bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
  }
  return bytes;
}

}  // namespace

template <class Visit>
void CsvTable::for_each_line(const Visit& visit) const {
  std::string_view rest = m_text;
  for (Index line = 1; !rest.empty(); ++line) {
    const auto end = std::min(rest.find('\n'), rest.size());
    const std::string_view text = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (trimmed(text).empty() || trimmed(text).front() == '#') continue;
    if (!visit(line, text)) return;
  }
}

CsvTable::CsvTable(std::string_view text) : m_text(text) {
  if (m_text.starts_with("\xef\xbb\xbf")) m_text.remove_prefix(3);
  for_each_line([&](Index, std::string_view line) {
    for (const char c : {';', '\t', ','})
      if (m_separator == ' ' && line.find(c) != std::string_view::npos) m_separator = c;
    const std::string_view first = cell(line);
    m_header = !number_in(first);
    m_index_column = m_header && (first.empty() || first == "query\\key");
    return false;
  });
}

Result<void> CsvTable::each(const std::function<Result<void>(Index, std::span<const double>)>& visit) const {
  Result<void> done;
  Index row = -(m_header ? 1 : 0);
  std::vector<double> values;
  Index first_line = 0;
  std::size_t width = 0;
  for_each_line([&](Index number_of_line, std::string_view line) {
    if (row >= 0) {
      values.clear();
      done = parse(number_of_line, line, values);
      if (done && first_line == 0) width = values.size();
      if (first_line == 0) first_line = number_of_line;
      if (done && values.size() != width)
        done = invalid("line {} has {} cells, line {} has {}", number_of_line, values.size(), first_line, width);
      if (done) done = visit(row, values);
    }
    ++row;
    return done.has_value();
  });
  return done;
}

/// Takes the next cell off the line.
std::string_view CsvTable::cell(std::string_view& line) const {
  if (m_separator == ' ') line = trimmed(line);
  const auto end = std::min(m_separator == ' ' ? line.find_first_of(" \t") : line.find(m_separator), line.size());
  const std::string_view text = trimmed(line.substr(0, end));
  line.remove_prefix(std::min(end + 1, line.size()));
  return text;
}

Result<void> CsvTable::parse(Index number_of_line, std::string_view line, std::vector<double>& values) const {
  line = trimmed_end(line);
  for (Index column = 1; !line.empty(); ++column) {
    const bool last = m_separator != ' ' && line.find(m_separator) == line.size() - 1;
    const std::string_view text = cell(line);
    if (column == 1 && m_index_column) continue;
    const auto value = number_in(text);
    if (!value) return bad_cell(number_of_line, column, text);
    values.push_back(*value);
    if (last) return bad_cell(number_of_line, column + 1, {});
  }
  return {};
}

Result<NumberList> read_csv_array(const ByteSource& file, TensorUse use) {
  if (file.size() > largest_table)
    return too_large("the table has {}, more than the limit of {}; save it as .npy",
                     byte_count(static_cast<double>(file.size())), byte_count(static_cast<double>(largest_table)));
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  if (auto read = file.read(0, text); !read) return read.error();
  std::vector<double> all;
  std::vector<Index> shape{0, 0};
  bool is_whole = use == TensorUse::cells;
  auto done = CsvTable(text).each([&](Index row, std::span<const double> values) -> Result<void> {
    shape = {row + 1, std::ssize(values)};
    all.insert(all.end(), values.begin(), values.end());
    for (const double value : values)
      is_whole = is_whole && std::abs(value) <= exact_whole && value == std::trunc(value);
    return {};
  });
  if (!done) return done.error();
  if (all.empty()) return invalid("the table holds no numbers");
  if (shape[0] == 1 || shape[1] == 1) shape = {std::ssize(all)};
  const NpyDtype dtype{is_whole ? NpyKind::signed_integer : NpyKind::real, 8};
  return NumberList{std::make_shared<OwnedSource>(is_whole ? table_bytes<Index>(all) : table_bytes<double>(all)),
                    {.dtype = dtype, .shape = std::move(shape)}};
}

}  // namespace vqscope
