// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/preset/imported_preset.h"

#include "core/base/sentence.h"
#include "core/mask/import/imported_mask.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index most_numbers = Index{1} << 22;  // 32 MiB
constexpr Index most_rows = Index{1} << 24;
constexpr Index most_keys = Index{1} << 31;

Error bad_list(const std::string& what) {
  return invalid(
      "mask_rows {} but must be runs of equal rows: how many rows, how many intervals, and begin and end of each",
      what);
}

/// Takes mask_rows apart, number by number.
class RowReader {
 public:
  RowReader(const ParameterValues& values, const Extent& extent, std::stop_token stop)
      : m_numbers(values.integers("mask_rows")),
        m_extent(extent),
        m_inverted(values.boolean("mask_inverted")),
        m_values(values.find("mask_values") ? values.text("mask_values") : std::string()),
        m_stop(std::move(stop)) {}

  Result<std::shared_ptr<const Mask>> read() {
    if (auto read = read_all(); !read) return read.error();
    auto numbers = numbers_of("mask_values", m_values);
    if (!numbers) return numbers.error();
    return std::shared_ptr<const Mask>(
        std::make_shared<ImportedMask>(m_extent, std::move(m_runs), std::move(*numbers)));
  }

 private:
  Result<void> read_all() {
    if (m_numbers.empty()) return invalid("mask_rows is empty, import a mask from a file (.npy, .csv or .png)");
    if (m_extent.rows > most_rows || m_extent.cols > most_keys)
      return invalid("an imported mask has at most {} queries and {} keys, q_length is {} and kv_length {}", most_rows,
                     most_keys, m_extent.rows, m_extent.cols);
    while (m_at < m_numbers.size()) {
      if (m_stop.stop_requested()) return cancelled();
      if (auto run = read_run(); !run) return run;
    }
    if (m_runs.rows() != m_extent.rows)
      return invalid("q_length is {}, the imported mask has {} rows", m_extent.rows, m_runs.rows());
    return {};
  }

  Result<void> read_run() {
    if (m_numbers.size() - m_at < 2) return bad_list("ends within a run");
    const Index rows = m_numbers[m_at];
    const Index count = m_numbers[m_at + 1];
    m_at += 2;
    const auto left = static_cast<Index>(m_numbers.size() - m_at);
    if (rows < 1) return bad_list(fmt::format("has a run of {} rows", rows));
    if (count < 0 || count > left / 2) return bad_list("ends within a run");
    if (rows > m_extent.rows - m_runs.rows())
      return invalid("q_length is {}, the imported mask has at least {} rows", m_extent.rows, m_runs.rows() + rows);
    m_row.clear();
    if (auto read = read_row(count); !read) return read;
    m_runs.append(m_row, rows);
    return {};
  }

  Result<void> read_row(Index count) {
    Index before = 0;
    for (Index i = 0; i < count; ++i, m_at += 2) {
      const Range keys{m_numbers[m_at], m_numbers[m_at + 1]};
      if (keys.begin < before + (i > 0) || keys.end <= keys.begin)
        return bad_list(fmt::format("has the interval {}, {} after {}", keys.begin, keys.end, before));
      if (keys.end > m_extent.cols)
        return invalid("kv_length is {}, the imported mask has a visible key {}", m_extent.cols, keys.end - 1);
      if (m_inverted)
        append(before, keys.begin);
      else
        append(keys.begin, keys.end);
      before = keys.end;
    }
    if (m_inverted) append(before, m_extent.cols);
    return {};
  }

  void append(Index begin, Index end) {
    if (begin < end) m_row.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
  }

  const std::vector<Index>& m_numbers;
  Extent m_extent;
  bool m_inverted;
  std::string m_values;
  std::stop_token m_stop;
  std::size_t m_at = 0;
  ImportedRuns m_runs;
  std::vector<KeyInterval> m_row;
};

}  // namespace

std::vector<ParameterSpec> imported_mask_parameters() {
  const std::vector<Relevance> relevant{{"mask", {std::string(imported_mask_id)}}};
  return {
      make_parameter("mask_rows", "Mask",
                     "Cells of an imported mask. For each run of equal rows: the number of rows, the number of visible "
                     "key intervals, then the begin and end of each interval.",
                     {.label = "Imported rows",
                      .default_value = std::vector<Index>{},
                      .minimum = 0,
                      .maximum = 2147483648.0,
                      .automatic = "nothing is imported yet",
                      .relevant = relevant,
                      .most_items = most_numbers,
                      .in_summary = InSummary::never,
                      .file_filter = {}}),  // it comes with the mask that is imported
      make_parameter("mask_inverted", "Mask",
                     "Inverts the imported mask: cells read as visible become masked, and the reverse.",
                     {.label = "Inverted", .default_value = false, .relevant = relevant}),
      make_parameter(
          "mask_values", "Mask",
          "Values other than 0 in an imported additive mask, separated by spaces: -1e30 or -inf, for example.",
          {.label = "Numbers",
           .kind = ParameterKind::text,
           .default_value = std::string(),
           .automatic = "not additive",
           .relevant = relevant,
           .most_items = 1024,
           .in_summary = InSummary::never}),
      make_parameter(
          "mask_file", "Mask",
          "What the imported file was: boolean, integers, zero_one, additive or no_tensor, then visible_true or "
          "masked_true, then stated, guessed or unknown; the evidence; the file and its shape.",
          {.label = "File",
           .kind = ParameterKind::text,
           .default_value = std::string(),
           .automatic = "not known",
           .relevant = relevant,
           .most_items = 1024,
           .in_summary = InSummary::never})};
}

std::string numbers_text(std::span<const double> numbers) {
  std::vector<std::string> texts;
  for (const double number : numbers) texts.push_back(to_text(number));
  return join(texts, " ");
}

Result<std::vector<double>> numbers_of(const std::string& name, const std::string& text) {
  std::vector<double> numbers;
  std::string blanks = text;
  std::ranges::replace(blanks, ',', ' ');
  for (const std::string_view part : split(blanks, ' ')) {
    if (trimmed(part).empty()) continue;
    const auto number = parse_real(trimmed(part));
    if (!number || std::isnan(*number) || *number == HUGE_VAL)
      return invalid("{} is {} but must be numbers such as -1e9 or -inf between blanks", name, shortened(part, 40));
    numbers.push_back(*number);
  }
  return numbers;
}

bool has_imported_mask(const ParameterValues& values) {
  const auto* mask = values.find("mask");
  return mask && *mask == ParameterValue(std::string(imported_mask_id)) && values.find("mask_rows");
}

Index imported_row_count(const ParameterValues& values) {
  const std::vector<Index>& numbers = values.integers("mask_rows");
  Index rows = 0;
  for (std::size_t at = 0; numbers.size() - at >= 2;) {
    const auto left = static_cast<Index>(numbers.size() - at) - 2;
    if (numbers[at] < 1 || numbers[at] > most_rows - rows || numbers[at + 1] < 0 || numbers[at + 1] > left / 2) break;
    rows += numbers[at];
    at += 2 + 2 * static_cast<std::size_t>(numbers[at + 1]);
  }
  return rows;
}

Result<std::vector<Index>> mask_rows_of(const Mask& mask, const std::stop_token& stop) {
  CountBudget budget{.left = most_steps_of_an_answer, .stop = stop};
  std::vector<Index> numbers;
  std::vector<Range> row;
  std::vector<Range> last;
  std::size_t run = 0;
  for (Index q = 0; q < mask.extent().rows; ++q) {
    if (!budget.spend(16) || !read_row(mask, q, budget, row))
      return budget.error("reading the mask's rows beyond row " + to_text(q));
    if (q > 0 && row == last) {
      ++numbers[run];
      continue;
    }
    run = numbers.size();
    numbers.insert(numbers.end(), {1, static_cast<Index>(row.size())});
    for (const Range& keys : row) numbers.insert(numbers.end(), {keys.begin, keys.end});
    if (static_cast<Index>(numbers.size()) > most_numbers)
      return too_large("the mask has too many intervals: a session keeps {} numbers, and row {} goes beyond",
                       most_numbers, q);
    std::swap(row, last);
  }
  return numbers;
}

std::optional<MaskFile> imported_file(const ParameterValues& values) {
  if (!has_imported_mask(values) || !values.find("mask_file")) return {};
  auto file = parse_mask_file(values.text("mask_file"));
  if (!file || !values.boolean("mask_inverted")) return file;
  const bool masked = file->polarity == ImportedPolarity::masked_true;
  file->polarity = masked ? ImportedPolarity::visible_true : ImportedPolarity::masked_true;
  file->decided = PolaritySource::stated;
  return file;
}

Result<ParameterValues> with_imported_mask(const ParameterValues& values, const Mask& mask,
                                           const std::optional<MaskFile>& file, const std::stop_token& stop) {
  auto rows = mask_rows_of(mask, stop);
  if (!rows) return rows.error();
  const Extent extent = mask.extent();
  ParameterValues all = with_sequence(values, extent);
  all.set("mask", std::string(imported_mask_id));
  all.set("mask_rows", std::move(*rows));
  all.set("mask_inverted", false);
  all.set("mask_values", numbers_text(mask.numbers()));
  all.set("mask_file", file ? mask_file_text(*file) : std::string());
  return all;
}

Result<std::shared_ptr<const Mask>> make_imported_mask(const ParameterValues& values, const Extent& extent,
                                                       const std::stop_token& stop) {
  return RowReader(values, extent, stop).read();
}

}  // namespace vqscope
