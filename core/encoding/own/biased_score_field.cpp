// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/own/biased_score_field.h"

#include "core/base/sentence.h"
#include "core/encoding/relative_method.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr Index looked_at = 48;  // rows and columns that the colour scale and the deviations look at

double deviation(const std::vector<double>& numbers) {
  const auto count = static_cast<double>(numbers.size());
  double sum = 0, squares = 0;
  for (const double each : numbers) sum += each;
  for (const double each : numbers) squares += (each - sum / count) * (each - sum / count);
  return std::sqrt(squares / count);
}

}  // namespace

double BiasedScoreField::largest() const {
  const auto [rows, cols] = extent();
  const Index row_step = std::max<Index>(1, rows / looked_at), col_step = std::max<Index>(1, cols / looked_at);
  double most = 0;
  for (Index row = 0; row < rows; row += row_step)
    for (Index col = 0; col < cols; col += col_step) most = std::max(most, std::abs(at(row, col)));
  return most == 0 ? 1 : most;
}

CellReport BiasedScoreField::report(Index row, Index col) const {
  const double of_content = content(row, col), of_position = position(row, col);
  CellReport report;
  report.facts = {{"q", to_text(row)},
                  {"k", to_text(col)},
                  {"content", to_text(of_content, 6)},
                  {"position", to_text(of_position, 6)},
                  {"score", to_text(of_content + of_position, 6)}};
  report.why = fmt::format("{}: q · k / √d + b = {} + {}", place_text(col - m_past_len - row), to_text(of_content, 6),
                           to_text(of_position, 6));
  return report;
}

PartDeviations BiasedScoreField::deviations(const std::stop_token& stop) const {
  const auto [rows, cols] = extent();
  const Index row_step = std::max<Index>(1, rows / looked_at);
  PartDeviations all;
  double queries = 0;
  for (Index row = 0; row < rows && !stop.stop_requested(); row += row_step) {
    const Index seen = std::min(cols, m_past_len + row + 1), col_step = std::max<Index>(1, seen / looked_at);
    if (seen < 2) continue;
    std::vector<double> contents, positions;
    for (Index col = 0; col < seen; col += col_step) {
      contents.push_back(content(row, col));
      positions.push_back(position(row, col));
    }
    all.content += deviation(contents);
    all.position += deviation(positions);
    ++queries;
  }
  if (queries == 0) return {};
  return {all.content / queries, all.position / queries};
}

}  // namespace vqscope
