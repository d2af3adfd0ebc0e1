// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/mask/row/row_report.h"
#include "core/report/section/shown.h"

namespace vqscope {
namespace {

constexpr Index rows_around = 3;
constexpr Index keys_around = 8;
constexpr Index keys_explained = 5;
constexpr std::size_t ranges_listed = 4;
constexpr const char* visible_sign = "●";

/// Up to 26 terms have a letter of their own.
std::string letter_of(std::size_t term) { return term < 26 ? std::string(1, static_cast<char>('a' + term)) : "z"; }

std::string legend(const Mask& mask) {
  std::string text = std::string(visible_sign) + " visible";
  const auto terms = mask.terms();
  for (std::size_t i = 0; i < terms.size(); ++i) text += fmt::format("; {} masked by {}", letter_of(i), terms[i]);
  return text;
}

ReportTable grid_of(const ReportShown& shown) {
  const Mask& mask = *shown.mask;
  const auto [row, col] = *shown.place;
  const Range keys = range_around(col, keys_around, mask.extent().cols);
  ReportTable grid{.caption = fmt::format("Cells around {}: queries down, keys across. {}.",
                                          place_text(shown, *shown.place), legend(mask)),
                   .headings = {"query"},
                   .is_grid = true};
  for (Index key = keys.begin; key < keys.end; ++key) grid.headings.push_back(to_text(key));
  const Range queries = range_around(row, rows_around, mask.extent().rows);
  for (Index q = queries.begin; q < queries.end; ++q) {
    std::vector<TableCell> line{{to_text(q), CellTone::heading}};
    for (Index key = keys.begin; key < keys.end; ++key) {
      const auto term = mask.failing_term(q, key);
      const CellTone tone = term ? CellTone::masked : CellTone::visible;
      line.push_back({term ? letter_of(*term) : visible_sign, tone, q == row && key == col});
    }
    grid.rows.push_back(std::move(line));
  }
  return grid;
}

std::string words_of(const Result<RowReport>& row) {
  return row ? row_sentence(*row, ranges_listed) : row.error().message;
}

ReportTable rows_of(const ReportShown& shown) {
  ReportTable table{.caption = "What the queries around it see", .headings = {"Query", "Sees"}};
  if (shown.second) table.headings = {"Query", "Sees in A", "Sees in B"};
  const Range queries = range_around(shown.place->row, rows_around, shown.mask->extent().rows);
  for (Index q = queries.begin; q < queries.end; ++q) {
    const auto row = row_report(*shown.mask, q);
    const bool is_picked = q == shown.place->row;
    table.rows.push_back({{to_text(q), CellTone::heading}, {words_of(row), CellTone::plain, is_picked}});
    if (shown.second) table.rows.back().push_back({words_of(row_report(*shown.second, q)), CellTone::plain, is_picked});
  }
  return table;
}

/// Without the term, which has a column of its own.
std::string reason_of(const Mask& mask, Index q, Index key, const std::string& term) {
  const std::string why = mask.why(q, key);
  const std::string begin = "masked by " + term + ": ";
  return why.starts_with(begin) ? why.substr(begin.size()) : why;
}

/// What B does with a key, if it differs.
std::string words_of_second(const ReportShown& shown, Index q, Index key) {
  const bool is_visible = shown.second->visible(q, key);
  if (is_visible) return shown.mask->visible(q, key) ? "as in A" : "visible";
  const std::string why = shown.second->why(q, key);
  return !shown.mask->visible(q, key) && why == shown.mask->why(q, key) ? "as in A" : why;
}

/// The deciding term of each key of the row.
ReportTable keys_of(const ReportShown& shown) {
  const Mask& mask = *shown.mask;
  const auto [q, col] = *shown.place;
  const TokenTexts& tokens = shown.request->session.subject.tokens;
  const auto terms = mask.terms();
  ReportTable table{.caption = fmt::format("Keys of query {} around key {}, and what decides each", q, col),
                    .headings = {"Key"}};
  if (!tokens.empty()) table.headings.emplace_back("Token");
  for (const auto& [name, value] : key_facts(mask, q, col))
    if (name != "kv_idx") table.headings.push_back(name);
  table.headings.emplace_back("Verdict");
  const Range keys = range_around(col, keys_explained, mask.extent().cols);
  bool any_masked = false;
  for (Index key = keys.begin; key < keys.end; ++key) any_masked = any_masked || !mask.visible(q, key);
  if (any_masked)
    for (const char* heading : {"Masked by", "Why"}) table.headings.emplace_back(heading);
  if (shown.second) table.headings.emplace_back("In B");
  for (Index key = keys.begin; key < keys.end; ++key) {
    const auto term = mask.failing_term(q, key);
    std::vector<TableCell> line{{to_text(key), CellTone::heading}};
    if (!tokens.empty()) line.push_back({shown_token(tokens, key)});
    for (const auto& [name, value] : key_facts(mask, q, key))
      if (name != "kv_idx") line.push_back({value, CellTone::number});
    const CellTone tone = term ? CellTone::masked : CellTone::visible;
    line.push_back({term ? "masked" : "visible", tone, key == col});
    if (any_masked) {
      line.push_back({term ? terms[*term] : std::string()});
      line.push_back({term ? reason_of(mask, q, key, terms[*term]) : std::string()});
    }
    if (shown.second) line.push_back({words_of_second(shown, q, key)});
    table.rows.push_back(std::move(line));
  }
  return table;
}

}  // namespace

ReportSection rows_section(const ReportShown& shown) {
  const auto [row, col] = *shown.place;
  ReportSection section{.title = fmt::format("Around {}", place_text(shown, *shown.place))};
  const auto term = shown.mask->failing_term(row, col);
  const std::string why = term ? shown.mask->why(row, col) : std::string();
  section.add(ReportText{term ? fmt::format("Query {} does not see key {}: {}.", row, col, why)
                              : fmt::format("Query {} sees key {}.", row, col)});
  section.add(grid_of(shown));
  section.add(rows_of(shown));
  section.add(keys_of(shown));
  return section;
}

}  // namespace vqscope
